import { contentOf } from '../assistants/message-content.ts'
import type { ServiceContext, Route, Handler } from '../context.ts'
import { ServiceError } from '../errors.ts'
import { fieldIllegal, fieldMissing, readJsonBody, type JsonObject } from '../json-body.ts'
import {
  booleanOf,
  choiceOf,
  numberOf,
  objectOf,
  objectsOf,
  requestIdOf,
  requiredText,
  textOf,
} from '../json-fields.ts'
import { retentionDays } from '../retention-days.ts'
import { eventStream, jsonReply } from '../http.ts'
import { pageHtml, noticeOf, slidesEngine, talkEvents } from '../slides/slide-messages.ts'
import { slidesStore, type SlidesTurn } from '../slides/store.ts'
import type { SlidePage } from '../slides/deck.ts'
import { pageSize } from '../slides/page-layout.ts'
import { drawPage } from '../slides/page-image.ts'

/** Maximum size of a PDF page in centimeters: larger than a poster. */
const maxCentimeters = 500

const noConversation = `Conversation not found. Conversations are stored for ${retentionDays.slides} days`

/**
 * Returns the agent ID as spelled by the client: providers of this API include their brand in it. Throws 1213 and 1214.
 */
function readAgent(body: JsonObject): string {
  const agentId = requiredText(body, 'agent_id')
  if (!/^slides_[a-z]+_agent$/.test(agentId))
    throw fieldIllegal('agent_id', 'be slides_gen_agent, the only available agent')
  return agentId
}

/** `POST /v1/agents` (service-notes 10): always a stream, the only supported mode. */
const talk: Handler = async ({ incoming, signal }, context) => {
  const body = await readJsonBody(incoming)
  const agentId = readAgent(body)
  if (!booleanOf(body, 'stream', false))
    throw new ServiceError('unsupported', 'The slides agent only streams: set stream to true')
  const messages = objectsOf(body, 'messages', { min: 1 })
  if (!messages) throw fieldMissing('messages')
  const contents = messages.map((message) => {
    requiredText(message, 'role')
    choiceOf(message, 'role', ['user'])
    return contentOf(message).text
  })
  const question = contents.at(-1) ?? ''
  if (question.trim() === '') throw fieldMissing('messages[0].content')
  requestIdOf(body)
  const known = textOf(body, 'conversation_id')
  if (known !== undefined && slidesStore(context.state).turns(known).length === 0)
    throw new ServiceError('notFound', noConversation)
  const conversationId = known ?? `slides-${context.ids()}`
  const id = `agent-${context.ids()}`
  return eventStream(talkEvents({ id, agentId, conversationId, question }, context, signal))
}

interface Variables {
  readonly pdf: boolean
  readonly html: boolean
  readonly sizes: readonly RequestedSize[]
}

function readVariables(body: JsonObject): Variables {
  const variables = objectOf(body, 'custom_variables')
  if (!variables) return { pdf: false, html: false, sizes: [] }
  const sizes = (objectsOf(variables, 'pages') ?? []).map((page): RequestedSize => {
    const number = (name: string, bounds: { min: number; max?: number }): number => {
      const value = numberOf(page, name, bounds)
      if (value === undefined) throw fieldMissing(`${page.path}.${name}`)
      return value
    }
    const centimetres = { min: 1, max: maxCentimeters }
    return {
      position: number('position', { min: 1 }),
      width: number('width', centimetres),
      height: number('height', centimetres),
    }
  })
  return {
    pdf: booleanOf(variables, 'include_pdf', false),
    html: booleanOf(variables, 'include_html', false),
    sizes,
  }
}

/** Part of a message; service-notes 10 specifies only these fields, all of them strings. */
interface ContentPart {
  readonly type: string
  readonly tag_cn: string
  readonly tag_en: string
  readonly file_url?: string
  readonly image_url?: string
  readonly text?: string
}

async function partsOf(
  turn: SlidesTurn,
  { pdf, html, sizes }: Variables,
  { media }: ServiceContext,
): Promise<readonly ContentPart[]> {
  const parts: ContentPart[] = turn.pages.map((page, i) => ({
    type: 'image_url',
    tag_cn: `第 ${i + 1} 页`,
    tag_en: `Page ${i + 1}`,
    image_url: media.urlOf(turn.pictures[i] ?? ''),
    ...(html && { text: pageHtml(page) }),
  }))
  if (!pdf) return parts
  // Image names cannot be guessed, and no other turn contains them, so the key is unique.
  const key = JSON.stringify({ pictures: turn.pictures, sizes })
  const url = await media.putOnce(key, 'pdf', () => deckPdf(turn.pages, sizes))
  return [...parts, { type: 'file_url', tag_cn: 'PDF 文件', tag_en: 'PDF file', file_url: url }]
}

/**
 * `POST /v1/agents/conversation` (service-notes 10): for an unknown conversation, returns 200 with a failed status
 * (service-notes 1).
 */
const conversation: Handler = async ({ incoming }, context) => {
  const body = await readJsonBody(incoming)
  const agent_id = readAgent(body)
  const conversation_id = requiredText(body, 'conversation_id')
  const variables = readVariables(body)
  const head = { conversation_id, agent_id }
  const turns = slidesStore(context.state).turns(conversation_id)
  if (turns.length === 0) {
    const error = { code: '1214', message: noConversation }
    return jsonReply({ ...head, status: 'failed', error, engine: slidesEngine })
  }
  const message = []
  for (const turn of turns) {
    const questionPart = { type: 'text', tag_cn: '问题', tag_en: 'Question', text: turn.question }
    message.push({ role: 'user', content: [questionPart] })
    message.push({ role: 'assistant', content: await partsOf(turn, variables, context) })
  }
  const choices = [{ message }]
  const leftOut = turns.findLast((turn) => turn.leftOut)?.leftOut ?? null
  return jsonReply({ ...head, choices, engine: slidesEngine, notice: noticeOf(leftOut) })
}

export const slidesRoutes: readonly Route[] = [
  ['POST', '/v1/agents', talk],
  ['POST', '/v1/agents/conversation', conversation],
]

const pointsPerCentimetre = 72 / 2.54

/** A requested page size: page number from 1, size in centimeters. */
interface RequestedSize {
  readonly position: number
  readonly width: number
  readonly height: number
}

/** Size of a widescreen slide in centimeters. */
const defaultSize = { width: 33.867, height: 19.05 } as const

/** Renders a deck as a PDF with searchable text; each page keeps its aspect ratio within the requested size. */
async function deckPdf(
  pages: readonly SlidePage[],
  sizes: readonly RequestedSize[],
): Promise<Uint8Array> {
  // Loaded lazily: a native module of about 30 MB that few requests need.
  const { PDFDocument } = await import('@napi-rs/canvas')
  const pdf = new PDFDocument({ title: pages[0]?.title ?? '' })
  for (const [i, page] of pages.entries()) {
    const size = sizes.find(({ position }) => position === i + 1) ?? defaultSize
    const width = size.width * pointsPerCentimetre
    const height = size.height * pointsPerCentimetre
    const pen = pdf.beginPage(width, height)
    const scale = Math.min(width / pageSize.width, height / pageSize.height)
    pen.translate((width - pageSize.width * scale) / 2, (height - pageSize.height * scale) / 2)
    pen.scale(scale, scale)
    drawPage(pen, page, i + 1)
    pdf.endPage()
  }
  return pdf.close()
}

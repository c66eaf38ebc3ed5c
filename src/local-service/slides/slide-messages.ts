import { engineNames } from '../../shared/provider/engine-names.ts'
import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { fillSentence } from '../../shared/provider/sentences.ts'
import { languageOf } from '../assistants/language.ts'
import { usageOf } from '../assistants/count-tokens.ts'
import type { ServiceContext } from '../context.ts'
import { errorBody, publicError } from '../errors.ts'
import { mediaName } from '../media-store.ts'
import { endEvent, jsonEvent } from '../http.ts'
import { deckOf, type SlidePage } from './deck.ts'
import { fittedDeck, maxPages, type LeftOut } from './fit.ts'
import { pageImage } from './page-image.ts'
import { slidesStore } from './store.ts'

/** Name of the engine in the responses of this family. */
export const slidesEngine = engineNames.pagePainter

/** Notice about the limits of on-device slides. */
const slidesNotice = engineNotices.slidesOutline

/** IDs of a slides conversation and its topic. */
interface Talk {
  readonly id: string
  /** As spelled by the client. */
  readonly agentId: string
  readonly conversationId: string
  readonly question: string
}

const words = {
  en: {
    plan: (pages: number) => `Reading the outline. Pages: ${pages}.`,
    whole: (pages: number) =>
      `Pages: ${pages}. The presentation is your outline as you wrote it. There’s no on-device language model to add to it.`,
    part: (pages: number, { entries, of, from }: LeftOut) =>
      `Pages: ${pages}, which is the maximum. Not shown: the last ${entries} of ${of} entries, from “${from}” on. The presentation is your outline as you wrote it. There’s no on-device language model to add to it.`,
  },
  zh: {
    plan: (pages: number) => `正在读取提纲：共 ${pages} 页。`,
    whole: (pages: number) =>
      `幻灯片共 ${pages} 页，内容就是你写的提纲。本机没有语言模型，没有添加任何内容。`,
    part: (pages: number, { entries, of, from }: LeftOut) =>
      `幻灯片共 ${pages} 页，已达到上限。提纲共 ${of} 项，从“${from}”起的 ${entries} 项没有放入。本机没有语言模型，没有添加任何内容。`,
  },
} as const

/** Returns {@link slidesNotice} and a note about the omitted entries. */
export const noticeOf = (leftOut: LeftOut | null): string =>
  leftOut
    ? `${slidesNotice} ${fillSentence(engineNotices.slidesLeft, { ...leftOut, max: maxPages })}`
    : slidesNotice

/**
 * Yields the chunks of service-notes 10: thinking, one tool object per page, an answer, a last chunk with usage, then
 * `[DONE]`.
 */
export async function* talkEvents(
  talk: Talk,
  { media, state, clock }: Pick<ServiceContext, 'media' | 'state' | 'clock'>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const head = { id: talk.id, agent_id: talk.agentId, conversation_id: talk.conversationId }
  let index = 0
  const message = (phase: string, content: readonly object[]): string =>
    jsonEvent({
      ...head,
      choices: [{ index: index++, messages: [{ role: 'assistant', phase, content }] }],
    })
  const labels = words[languageOf(talk.question)]
  try {
    const { pages, leftOut } = await fittedDeck(deckOf(talk.question))
    yield message('thinking', [{ type: 'text', text: labels.plan(pages.length) }])
    const images: string[] = []
    for (const [i, page] of pages.entries()) {
      // The client has disconnected: do not render images that no one will see.
      if (signal.aborted) return
      images.push(mediaName(await media.put(await pageImage(page, i + 1), 'png')))
      const object = {
        tool_name: 'insert_page',
        input: page.title,
        output: pageHtml(page),
        position: [i + 1],
        title: page.title,
      }
      yield message('tool', [
        { type: 'object', tag_cn: '添加幻灯片页面', tag_en: 'Insert page', object },
      ])
    }
    const { question } = talk
    const turn = { question, pages, pictures: images, leftOut, at: clock() }
    slidesStore(state).add(talk.conversationId, turn)
    const text = leftOut ? labels.part(pages.length, leftOut) : labels.whole(pages.length)
    yield message('answer', [{ type: 'text', text }])
    yield jsonEvent({
      ...head,
      choices: [{ index, finish_reason: 'stop', messages: [] }],
      usage: usageOf(talk.question, text),
      engine: slidesEngine,
      notice: noticeOf(leftOut),
    })
    yield endEvent
  } catch (error) {
    // The status has already been sent: the failure is sent as a chunk without an end mark (service-notes 1).
    const { failure, message: reason } = publicError(error)
    const failed = {
      ...head,
      status: 'failed',
      ...errorBody(failure, reason),
      engine: slidesEngine,
    }
    yield jsonEvent({ ...failed, notice: slidesNotice })
  }
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * Returns a page as HTML, like the tool `insert_page` does (service-notes 10): no scripts, URLs or external content.
 */
export function pageHtml({ title, lines }: SlidePage): string {
  const items = lines
    .map(({ text, level, continued }) => {
      const mark = continued ? ';list-style:none' : ''
      return `<li style="margin-left:${level * 1.5}em${mark}">${escaped(text)}</li>`
    })
    .join('')
  const list = items && `<ul>${items}</ul>`
  return `<section style="width:1280px;height:720px;padding:72px;box-sizing:border-box;font-family:sans-serif"><h1>${escaped(title)}</h1>${list}</section>`
}

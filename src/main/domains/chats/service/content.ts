import { pagesIn, rangesText } from '../../../../shared/documents/ranges.ts'
import { documentQuestion } from '../../../../shared/provider/document-question.ts'
import type { ChatAttachment } from '../../../../shared/model/chat.ts'
import { estimateTokens } from '../../../../shared/text/token-estimate.ts'
import type {
  ChatMessage as QuestionMessage,
  ContentPart,
} from '../../../provider-client/chat-messages.ts'
import type { ServiceTarget } from '../../../provider-client/types.ts'
import type { Ids } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { InputFile } from '../../../operations/operation.ts'
import type { Turn } from '../store/chats-types.ts'
import type { Store } from '../../../library-database/store.ts'
import { transcriptText } from '../../audio/index.ts'
import type { GivenTexts } from '../../documents/index.ts'
import { withTurns } from './resend-history.ts'
import { modelTexts } from './chat-labels.ts'

/** Dependencies for creating a message. */
interface ContentDeps {
  readonly texts: Pick<GivenTexts, 'text'>
  readonly store: Pick<Store, 'meetings'>
  readonly ids: Ids
  /** Returns a saved file. Throws FILE_MISSING. */
  file(mediaId: string): Promise<InputFile>
}

/** Parts of a message. */
interface ContentParts {
  readonly text: string
  readonly attachments: readonly ChatAttachment[]
  /** Earlier turns that are sent again, and their attachments. */
  readonly turns: readonly Turn[]
  readonly earlier: readonly ChatAttachment[]
  readonly target: ServiceTarget
}

/** A message as it is sent, and its attachments with the pages that it contains if not all of them fitted. */
interface Content {
  readonly message: QuestionMessage
  readonly attachments: readonly ChatAttachment[]
}

/**
 * Creates the message: earlier turns, documents and meetings in fences, the question, images as data URIs. Throws the
 * errors of images and pages, EMPTY_FILE for a document or meeting without text, CONTEXT_TOO_LONG for one of which not
 * even one page or line fits.
 */
export async function contentOf(deps: ContentDeps, parts: ContentParts): Promise<Content> {
  const { target, turns } = parts
  const attachments: ChatAttachment[] = []
  let left =
    target.limits.chat.tokens -
    [parts.text, ...turns.map(({ text }) => text)].reduce(
      (sum, text) => sum + estimateTokens(text).likely,
      0,
    )
  let text = parts.text
  for (const attachment of parts.attachments) {
    if (attachment.kind === 'meeting') {
      const given = meetingText(deps, attachment, parts.text, left)
      left -= given.tokens
      text = inFence(deps, attachment, given.text, text, parts.text)
    }
    if (attachment.kind !== 'document') {
      attachments.push(attachment)
      continue
    }
    const given = await documentText(deps, attachment, parts.text, left)
    left -= given.tokens
    text = inFence(deps, attachment, given.text, text, parts.text)
    // What the user chose is saved: the next question selects from it again.
    const { sent: _sent, ...chosen } = attachment
    attachments.push(given.sent === null ? chosen : { ...chosen, sent: given.sent })
  }
  for (const attachment of parts.earlier) {
    if (attachment.kind !== 'document' && attachment.kind !== 'meeting') continue
    const given = await ifStillThere(async () =>
      attachment.kind === 'meeting'
        ? meetingText(deps, attachment, parts.text, left)
        : documentText(deps, attachment, parts.text, left),
    )
    if (given === null) continue
    left -= given.tokens
    text = inFence(deps, attachment, given.text, text, parts.text)
  }
  const whole = withTurns(turns, text, deps.ids())
  const images = parts.attachments.flatMap((each) => (each.kind === 'image' ? [each.mediaId] : []))
  if (images.length === 0) return { message: { role: 'user', content: whole }, attachments }
  const { dataUris } = await import('../../../operations/images.ts')
  const uris = await dataUris({ target, file: (id) => deps.file(id) }, images)
  const content: ContentPart[] = [
    ...(whole.trim() === '' ? [] : [{ type: 'text' as const, text: whole }]),
    ...uris.map((url) => ({ type: 'image_url' as const, image_url: { url } })),
  ]
  return { message: { role: 'user', content }, attachments }
}

/** Places a question after a document or meeting; the instructions to the model are in the language of the question. */
function inFence(
  { ids }: Pick<ContentDeps, 'ids'>,
  attachment: Extract<ChatAttachment, { kind: 'document' | 'meeting' }>,
  text: string,
  question: string,
  questionText: string,
): string {
  const title = attachment.kind === 'meeting' ? attachment.name : attachment.title
  const instruction = modelTexts(questionText)[attachment.kind]
  return documentQuestion({ title, text, question }, instruction, ids())
}

/** Returns the text of an attachment of an earlier question; null when it no longer exists or no longer fits. */
const ifStillThere = <T>(read: () => Promise<T>): Promise<T | null> =>
  read().catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })

/** Returns the transcript of a meeting; of a long one what is about the question. */
function meetingText(
  { store }: Pick<ContentDeps, 'store'>,
  { itemId, name }: Extract<ChatAttachment, { kind: 'meeting' }>,
  question: string,
  maxTokens: number,
): { readonly text: string; readonly tokens: number } {
  const given = transcriptText(store.meetings, itemId, { question, maxTokens })
  if (given === null)
    throw new AppError('EMPTY_FILE', 'The meeting has no transcript yet', {
      params: { what: 'document', name },
    })
  if (given.text === '')
    throw new AppError('CONTEXT_TOO_LONG', 'No line of the transcript fits', {
      params: { what: 'document', name, limit: Math.max(0, maxTokens) },
    })
  return given
}

/** Returns the pages of a document; of one that does not fit those about the question, named by `sent`. */
async function documentText(
  { texts }: ContentDeps,
  { itemId, title, pages }: Extract<ChatAttachment, { kind: 'document' }>,
  question: string,
  maxTokens: number,
): Promise<{ readonly text: string; readonly tokens: number; readonly sent: string | null }> {
  const request = {
    id: itemId,
    pages,
    pageMarks: true,
    maxTokens: Math.max(0, maxTokens),
    lengthsOnly: false,
    question,
  }
  const found = await texts.text(request)
  if (found.pages.length === 0)
    throw new AppError('EMPTY_FILE', 'The document has no text yet. Parse it first', {
      params: { what: 'document', name: title },
    })
  if (found.text === '')
    throw new AppError('CONTEXT_TOO_LONG', 'No page of the document fits', {
      params: { what: 'document', name: title, limit: request.maxTokens },
    })
  const given = new Set(pagesIn(found.given))
  const fitting = found.pages.filter(({ page }) => given.has(page))
  return {
    text: found.text,
    tokens: fitting.reduce((sum, { tokens }) => sum + tokens, 0),
    sent: fitting.length === found.pages.length ? null : rangesText(found.given),
  }
}

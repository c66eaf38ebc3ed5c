import type { BoxRegime, DocumentFacts, PartPlan } from '../../../shared/model/document.ts'
import type { Answered } from '../../api/answer.ts'
import type { TextResult } from '../../api/json-call.ts'
import type { PageBlocks, ReplyRead } from '../../documents/reading/reply.ts'
import type { DocumentTexts } from '../../documents/text-work.ts'
import { errorOf } from '../../audio/failed.ts'
import type { DocumentsStore, PartReply } from '../../store/documents-types.ts'
import { packReply } from '../runs/pack.ts'
import { missingFailure } from './document-errors.ts'

/** What the reading of a reply is told. */
export interface ReplyOrder {
  readonly part: PartPlan
  readonly facts: DocumentFacts
  /** How earlier replies of the account counted their boxes, asked when the reply is there. */
  known(): BoxRegime | null
}

/** How the client has the reply of a part read, that was sent as a file of its own. The value throws as `readReplyText` tells. */
export const replyReader =
  (texts: Pick<DocumentTexts, 'readReply'>, { part, facts, known }: ReplyOrder) =>
  async (body: string, model: string): Promise<TextResult<ReplyRead>> => {
    const { first, last } = part
    const { pages, sizes } = facts
    const reply = await texts.readReply({
      body,
      model,
      first,
      last,
      pages,
      sizes,
      known: known(),
    })
    if (reply.type === 'none') return { json: undefined, value: none }
    const { meta: told, read } = reply
    return {
      json: told,
      value() {
        if ('type' in read) throw errorOf(read)
        return read
      },
    }
  }

const none = (): never => {
  throw new Error('A text that is no JSON has no value')
}

/** What cannot be taken back now is replaced by the next reply, or removed at the next start. */
function takeBack(store: Pick<DocumentsStore, 'unstage'>, partId: string): void {
  try {
    store.unstage(partId)
  } catch {
    // The document is gone, or the store is in trouble: why the reply was not kept is what counts.
  }
}

/** Writes what storing a reply comes to, each step in its own time. */
export type Write = (work: () => unknown) => Promise<unknown>

/** Keeps a reply that was read: its blocks portion by portion, then all else in one go, which alone makes its pages returned. */
export async function keepReply(
  store: Pick<DocumentsStore, 'stage' | 'unstage' | 'reply'>,
  partId: string,
  { value, raw, engine }: Answered<ReplyRead>,
  how: { readonly at: number; readonly write: Write },
): Promise<void> {
  const reply: PartReply = {
    raw: (await packReply(raw)) ?? raw,
    markdown: value.markdown,
    engine: engine ?? value.model,
    pages: value.pages,
    missing: missingFailure(how.at),
    addresses: value.addresses,
    filled: value.filled,
    at: how.at,
  }
  try {
    for (const portion of value.portions)
      await how.write(() => store.stage(partId, JSON.parse(portion) as PageBlocks[]))
    await how.write(() => store.reply(partId, reply))
  } catch (error) {
    takeBack(store, partId)
    throw error
  }
}

import type { BoxRegime, DocumentFacts, PartPlan } from '../../../shared/model/document.ts'
import type { Answered } from '../../api/answer.ts'
import type { TextResult } from '../../api/json-call.ts'
import type { PageBlocks, ReplyRead } from '../../documents/reading/reply.ts'
import type { DocumentTexts } from '../../documents/text-work.ts'
import { errorOf } from '../../audio/failed.ts'
import type { DocumentsStore, PartReply } from '../../store/documents-types.ts'
import { packReply } from '../runs/pack.ts'
import { missingFailure } from './document-errors.ts'

/** Parameters for reading a response. */
export interface ReplyOrder {
  readonly part: PartPlan
  readonly facts: DocumentFacts
  /** Returns the coordinate units of the account's earlier responses; called when the response is available. */
  known(): BoxRegime | null
}

/** Creates the client's reader for the response to a part sent as a separate file. The value throws as `readReplyText`. */
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
    const { meta, read } = reply
    return {
      json: meta,
      value() {
        if ('type' in read) throw errorOf(read)
        return read
      },
    }
  }

const none = (): never => {
  throw new Error('Text that is not JSON has no value')
}

/** Undoes the staging; what cannot be undone now is replaced by the next response, or removed at the next start. */
function takeBack(store: Pick<DocumentsStore, 'unstage'>, partId: string): void {
  try {
    store.unstage(partId)
  } catch {
    // The document is gone or the store failed: the reason why the response was not stored is what counts.
  }
}

/** Runs one step of storing a response, each in its own turn. */
export type Write = (work: () => unknown) => Promise<unknown>

/** Stores a parsed response: its blocks in batches, then everything else at once, which marks its pages as returned. */
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

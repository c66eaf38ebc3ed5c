import type { BlockChange } from '../../shared/bridge/documents.ts'
import type { Block } from '../../shared/model/document.ts'
import { AppError } from '../errors.ts'
import { createDocumentWorkerClient } from './document-worker-client.ts'
import type { ReturnedText } from './messages.ts'
import { compareBlocks } from './reading/compare.ts'
import { returnedDiffers } from './reading/merge.ts'
import { readReplyText, type ParsedReply, type ReplyText } from './reading/reply.ts'

/** What is done with texts of documents; what is long is done beside the main thread. Throws AppError: TIMEOUT, ENGINE_UNAVAILABLE. */
export interface DocumentTexts {
  /** Whether the text of a reply says something else than its blocks: see {@link returnedDiffers}. */
  differs(text: ReturnedText): Promise<boolean>
  /** What became of each block: see {@link compareBlocks}. */
  compare(left: readonly Block[], right: readonly Block[]): Promise<readonly BlockChange[]>
  /** What the text of a reply holds: see {@link readReplyText}. Throws MALFORMED_REPLY where reading takes longer or more memory than any reply. */
  readReply(text: ReplyText): Promise<ParsedReply>
  close(): Promise<void>
}

/** Longest that looking at texts may take, in milliseconds. */
const maxMs = 60_000

/** What takes main some milliseconds at most: asking another thread costs as much. */
const shortChars = 20_000
const shortPairs = 400
/** Of a reply, which is parsed, read and placed. */
const shortReplyChars = 30_000

/** Makes it; `url` is the program `workers/documents.ts`, which runs once more for texts: they never wait behind a page that is drawn. */
export function createDocumentTexts(url: URL): DocumentTexts {
  const texts = createDocumentWorkerClient(url, 'Document texts', maxMs)
  return {
    async differs(text) {
      if (text.returned.length <= shortChars) return returnedDiffers({ ...text, surplus: [] })
      return (await texts.ask({ ...text, type: 'differs' }, 'differs')).differs
    },
    async compare(left, right) {
      const few = left.length * right.length <= shortPairs
      if (few && charsOf(left) + charsOf(right) <= shortChars) return compareBlocks(left, right)
      return (await texts.ask({ type: 'compare', left, right }, 'changes')).changes
    },
    async readReply(text) {
      if (text.body.length <= shortReplyChars) return readReplyText(text)
      try {
        return (await texts.ask({ ...text, type: 'reply' }, 'reading')).reply
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (isDamaged(error))
          throw new AppError('MALFORMED_REPLY', error.message, { params: { reason: 'too-much' } })
        // The program was lost for another's sake, or cannot be started: what was paid for is read all the same.
        return readReplyText(text)
      }
    },
    close: () => texts.close(),
  }
}

const isDamaged = ({ code }: AppError): boolean => code === 'DAMAGED_FILE'

const charsOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { content }) => sum + content.length, 0)

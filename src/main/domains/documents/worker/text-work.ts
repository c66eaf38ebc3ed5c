import type { BlockChange } from '../../../../shared/contract/documents.ts'
import type { Block } from '../../../../shared/model/document.ts'
import { AppError } from '../../../errors.ts'
import { createDocumentWorkerClient } from './document-worker-client.ts'
import type { ReturnedText } from './messages.ts'
import { compareBlocks } from './reading/compare.ts'
import { returnedDiffers } from './reading/merge.ts'
import { readReplyText, type ParsedReply, type ReplyText } from './reading/reply.ts'

/**
 * Work on texts of documents; long texts are processed outside the main thread. Throws AppError: TIMEOUT,
 * ENGINE_UNAVAILABLE.
 */
export interface DocumentTexts {
  /** Whether the text of a response differs from its blocks: see {@link returnedDiffers}. */
  differs(text: ReturnedText): Promise<boolean>
  /** Compares blocks: see {@link compareBlocks}. */
  compare(left: readonly Block[], right: readonly Block[]): Promise<readonly BlockChange[]>
  /**
   * Parses the text of a response: see {@link readReplyText}. Throws MALFORMED_REPLY when parsing takes more time or
   * memory than any valid response.
   */
  readReply(text: ReplyText): Promise<ParsedReply>
  close(): Promise<void>
}

/** Maximum milliseconds for processing texts. */
const maxMs = 60_000

/**
 * Limits of texts that take the main thread a few milliseconds at most: calling another thread costs as much.
 */
const shortChars = 20_000
const shortPairs = 400
/** Limit of a response, which is parsed, read and placed. */
const shortReplyChars = 30_000

/**
 * Creates the client; `url` is the program `workers/documents.ts`, of which a separate instance processes texts: they
 * never wait behind a page that is being drawn.
 */
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
        // The worker ended because of another request, or cannot be started: a response that was paid for is read anyway.
        return readReplyText(text)
      }
    },
    close: () => texts.close(),
  }
}

const isDamaged = ({ code }: AppError): boolean => code === 'DAMAGED_FILE'

const charsOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { content }) => sum + content.length, 0)

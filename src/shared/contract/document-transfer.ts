import { z } from 'zod'
import type {
  DocumentPush,
  DocumentText,
  KnowledgeBaseBrief,
  KnownBases,
} from '../model/document-transfer.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)
/** Page selection as text ("1-3, 7, 20-"); empty means all. */
const pages = z.string().trim().max(1000).default('')

/** Routes for sending a document's text to chats and to knowledge bases. */
export const handover = {
  /**
   * Returns the text of pages as Markdown, as many whole pages as fit into `tokens` (default: those of the account).
   */
  text: route<DocumentText>()(
    z.strictObject({
      id,
      pages,
      /** Marks the start of each page with a comment. */
      pageMarks: z.boolean().default(true),
      tokens: z.number().int().min(0).max(2_000_000).optional(),
      /** Returns only the lengths, without the text. */
      lengthsOnly: z.boolean().default(false),
      accountId: id.optional(),
    }),
  ),
  /** Returns the knowledge bases of an account; the saved ones if they cannot be listed. */
  bases: route<KnownBases>()(z.strictObject({ accountId: id.optional() })),
  /** Creates a knowledge base with a run, and waits for it. */
  newBase: route<KnowledgeBaseBrief>()(
    z.strictObject({ name: z.string().trim().min(1).max(100), accountId: id.optional() }),
  ),
  /**
   * Adds the text to a knowledge base with a run. `replaces` is an earlier push whose text is removed when the new one was
   * accepted.
   */
  push: route<{ readonly push: DocumentPush }>()(
    z.strictObject({
      id,
      baseId: z.string().min(1).max(256),
      baseName: z.string().trim().max(300).default(''),
      accountId: id.optional(),
      pages,
      pageMarks: z.boolean().default(false),
      replaces: id.optional(),
    }),
  ),
  /** Returns where the text was added, newest first. */
  pushes: route<{ readonly pushes: readonly DocumentPush[] }>()(z.strictObject({ id })),
}

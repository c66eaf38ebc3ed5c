import { z } from 'zod'
import type {
  DocumentPush,
  DocumentText,
  KnowledgeBaseBrief,
  KnownBases,
} from '../model/document-transfer.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)
/** Pages as people write them ("1-3, 7, 20-"); empty means all. */
const pages = z.string().trim().max(1000).default('')

/** Routes of giving a document's text away: to whoever answers questions, and to knowledge bases. */
export const handover = {
  /** The text of pages as Markdown, as many whole pages as fit into `tokens` (those of the account when absent). */
  text: route<DocumentText>()(
    z.strictObject({
      id,
      pages,
      /** A comment where a page begins. */
      pageMarks: z.boolean().default(true),
      tokens: z.number().int().min(0).max(2_000_000).optional(),
      /** Tells what would be given, and not the text itself. */
      lengthsOnly: z.boolean().default(false),
      accountId: id.optional(),
    }),
  ),
  /** The knowledge bases of an account, or those that were kept when they cannot be listed. */
  bases: route<KnownBases>()(z.strictObject({ accountId: id.optional() })),
  /** Makes a knowledge base by a run, and waits for it. */
  newBase: route<KnowledgeBaseBrief>()(
    z.strictObject({ name: z.string().trim().min(1).max(100), accountId: id.optional() }),
  ),
  /** Adds the text to a base by a run. `replaces` is an earlier push whose text goes from the base when the new one was taken. */
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
  /** Where the text was added to, newest first. */
  pushes: route<{ readonly pushes: readonly DocumentPush[] }>()(z.strictObject({ id })),
}

import { readFile } from 'node:fs/promises'
import type { ServiceContext } from '../context.ts'
import { PageFailure } from '../engines/pages.ts'
import { ServiceError } from '../errors.ts'
import type { JsonObject } from '../json-body.ts'
import { objectsOf, requiredText } from '../json-fields.ts'
import { readDocument } from '../knowledge/readers/index.ts'
import { documentKind } from '../knowledge/readers/kind.ts'
import { DocumentFailure, type Passage } from '../../shared/knowledge/slicing/types.ts'
import { pageOf } from '../../shared/knowledge/slicing/join.ts'
import type { QuotePassage } from './quote.ts'

/** A file attached to a question, and its text; empty, with the reason, if it could not be read. */
export interface Attachment {
  readonly name: string
  readonly passages: readonly Passage[]
  readonly reason: string | null
}

/** A stored file that is to be read. */
interface AttachedFile {
  readonly name: string
  readonly path: string
}

/** Returns the files of `attachments` (service-notes 8). Throws 1213 and 1214, the latter also for a missing file. */
export async function attachedFiles(
  body: JsonObject,
  { files }: Pick<ServiceContext, 'files'>,
): Promise<readonly AttachedFile[]> {
  const requested = objectsOf(body, 'attachments') ?? []
  if (requested.length === 0) return []
  const known = new Map((await files.list()).map((file) => [file.id, file.filename]))
  return Promise.all(
    requested.map(async (attachment) => {
      const id = requiredText(attachment, 'file_id')
      const path = await files.pathOf(id)
      if (path === undefined)
        throw new ServiceError(
          'fieldIllegal',
          `${attachment.path}.file_id is not the id of an uploaded file`,
        )
      return { name: known.get(id) ?? id, path }
    }),
  )
}

/** Reads texts, tables, PDFs and images. An unreadable file does not fail the question. Rejects when the signal aborts. */
export async function readAttachments(
  attached: readonly AttachedFile[],
  { pages }: Pick<ServiceContext, 'pages'>,
  signal: AbortSignal,
): Promise<readonly Attachment[]> {
  const read: Attachment[] = []
  for (const { name, path } of attached) {
    signal.throwIfAborted()
    const bytes = new Uint8Array(await readFile(path))
    const found = documentKind(name, bytes)
    try {
      if ('reason' in found) throw new DocumentFailure(10001, found.reason)
      const document = { name, kind: found.kind, bytes }
      const { passages } = await readDocument(document, pages, { images: false, signal })
      read.push({ name, passages, reason: null })
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof DocumentFailure) && !(error instanceof PageFailure)) throw error
      read.push({ name, passages: [], reason: error.message })
    }
  }
  return read
}

export const attachmentPassages = (attachments: readonly Attachment[]): readonly QuotePassage[] =>
  attachments.flatMap(({ name, passages }) => passagesByPage(name, passages))

/** The text of each page of a document: neighboring passages on a page are quoted together. */
export const passagesByPage = (
  source: string,
  passages: readonly Passage[],
): readonly QuotePassage[] =>
  Array.from(Map.groupBy(passages, pageOf), ([page, on]) => ({
    source,
    page,
    text: on.map(({ text }) => text).join('\n'),
  }))

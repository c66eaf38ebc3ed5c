import type { ServiceFile } from './files.ts'
import { isRecord } from './json.ts'
import { flagIn, malformed, numberIn, recordsFrom, textIn } from './lenient.ts'
import type { JsonRecord } from './lenient.ts'

/** Values for fields that the response omits. */
interface KnownFile {
  readonly filename: string
  readonly purpose: string
  readonly bytes: number | null
}

/**
 * Reads the response to an upload (service-notes 2). Throws MALFORMED_REPLY without an ID: the file could not be referenced
 * later.
 */
export function readFile(json: unknown, known: KnownFile): ServiceFile {
  const file = isRecord(json) ? fileOf(json, known) : null
  if (!file) throw malformed('no-file-id')
  return file
}

/** Reads a list of files; rows without an ID are omitted, since they cannot be used. */
export function readFiles(
  json: unknown,
  purpose: string,
): { readonly files: readonly ServiceFile[]; readonly hasMore: boolean } {
  const fields: JsonRecord = isRecord(json) ? json : { data: json }
  const { data } = fields
  if (data === undefined || (data !== null && typeof data !== 'object')) throw malformed('no-data')
  const known = { filename: '', purpose, bytes: null }
  const files = recordsFrom(data)
    .map((row) => fileOf(row, known))
    .filter((file) => file !== null)
  return { files, hasMore: flagIn(fields, 'has_more') }
}

/** Reads the response to a deletion: a success means deleted unless it reports otherwise. */
export function readDeletion(json: unknown): { readonly deleted: boolean } {
  if (!isRecord(json)) throw malformed('no-file')
  return { deleted: json['deleted'] === undefined || flagIn(json, 'deleted') }
}

function fileOf(row: JsonRecord, known: KnownFile): ServiceFile | null {
  const id = textIn(row, 'id')
  if (id === null) return null
  return {
    id,
    bytes: numberIn(row, 'bytes') ?? known.bytes,
    createdAt: numberIn(row, 'created_at'),
    filename: textIn(row, 'filename') ?? known.filename,
    purpose: textIn(row, 'purpose') ?? known.purpose,
    status: textIn(row, 'status'),
  }
}

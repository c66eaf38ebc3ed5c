import { imageEndings, purposes } from '../../shared/provider/file-purposes.ts'
import { AppError } from '../errors.ts'
import type { CallParts } from './call.ts'
import type { FormFile } from './file-chunks.ts'
import { downloadTo } from './file-download.ts'
import { endpointsOf } from './json-call.ts'
import { isRecord } from './json.ts'
import { flagIn, malformed, numberIn, recordsFrom, textIn, type JsonRecord } from './lenient.ts'
import { multipart } from './multipart.ts'
import { pathPart, checkRange, over } from './request-limits.ts'
import type { ById, CallOptions, ServiceTarget } from './types.ts'

/** Purpose of an uploaded file (service-notes 2); other values are passed through. */
export type FilePurpose =
  | 'batch'
  | 'code-interpreter'
  | 'agent'
  | 'voice-clone-input'
  | 'file-extract'
  | 'assistant'
  | 'retrieval'
  | 'fine-tune'

/** An uploaded file (service-notes 2). */
interface ServiceFile {
  readonly id: string
  readonly bytes: number | null
  /** Unix seconds. */
  readonly createdAt: number | null
  readonly filename: string
  readonly purpose: string
  readonly status: string | null
}

const folder = '/paas/v4/files'

/** The files API (service-notes 2), which cloning and attachments need. */
export type FilesApi = ReturnType<typeof createFiles>

/** The notes list no request ID for these endpoints. */
export function createFiles(parts: CallParts) {
  const endpoint = endpointsOf(parts)
  return {
    /**
     * `POST /paas/v4/files`, streamed from disk. Extension and size are checked against the purpose first. Not safe to repeat.
     */
    upload: endpoint(
      'files.upload',
      (request: { readonly file: FormFile; readonly purpose: FilePurpose }, target) => {
        const { purpose } = request
        const file = { ...request.file, name: baseName(request.file.name) }
        checkUpload(file, purpose, target)
        const boundary = `lectern-${parts.deps.ids()}`
        // The purpose first, so that a provider can reject early.
        const form = [
          { name: 'purpose', value: purpose },
          { name: 'file', file },
        ]
        return {
          repeat: 'creating',
          path: folder,
          body: () => multipart(form, boundary),
          timeouts: parts.longCall,
          read: (json) => readFile(json, { filename: file.name, purpose, bytes: file.bytes }),
        }
      },
    ),
    /** `GET /paas/v4/files`. */
    list: endpoint(
      'files.list',
      (
        request: {
          readonly purpose: FilePurpose
          readonly limit?: number
          readonly after?: string
        },
        target,
      ) => {
        const { purpose, limit, after } = request
        if (limit !== undefined)
          checkRange('limit', limit, { min: 1, max: target.limits.list.pageSize, whole: true })
        return {
          path: folder,
          query: {
            purpose,
            ...(limit !== undefined && { limit: String(limit) }),
            ...(after !== undefined && { after }),
          },
          read: (json) => readFiles(json, purpose),
        }
      },
    ),
    /** `DELETE /paas/v4/files/{id}`. */
    delete: endpoint('files.delete', ({ id }: ById) => ({
      method: 'DELETE',
      path: `${folder}/${pathPart('file_id', id)}`,
      read: readDeletion,
    })),
    /**
     * `GET /paas/v4/files/{id}/content`, streamed to the file `to`, which is complete afterwards or does not exist.
     */
    async content(
      target: ServiceTarget,
      { id, to }: ById & { readonly to: string },
      options: CallOptions,
    ): ReturnType<typeof downloadTo> {
      const path = `${folder}/${pathPart('file_id', id)}/content`
      return downloadTo(parts, target, { operation: 'files.content', path, to }, options)
    },
  }
}

/** Returns only the file name: local folder names stay private. */
function baseName(name: string): string {
  return name.replace(/^.*[/\\]/, '')
}

/**
 * Rejects files the purpose does not allow (service-notes 2; 16 for voice samples): UNSUPPORTED_FORMAT by file extension,
 * FILE_TOO_LARGE in bytes, EMPTY_FILE. Unknown purposes are left to the provider.
 */
function checkUpload(file: FormFile, purpose: string, target: ServiceTarget): void {
  const { name, bytes } = file
  if (bytes === 0) throw new AppError('EMPTY_FILE', 'The file is empty.', { params: { name } })
  const rule = purposes.get(purpose)
  if (!rule) return
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (rule.endings && !rule.endings.includes(ending))
    throw new AppError('UNSUPPORTED_FORMAT', 'The provider does not support this file type.', {
      params: { what: 'file', name, value: ending, allowed: rule.endings.join(', ') },
    })
  const limit = maxBytesOf(purpose, imageEndings.has(ending), target) ?? rule.bytes
  if (bytes > limit) throw over('FILE_TOO_LARGE', 'file', limit, bytes, { name })
}

/** The sample limit is in service-notes 16, and a profile may change it; the others are fixed. */
function maxBytesOf(purpose: string, isImage: boolean, target: ServiceTarget): number | undefined {
  if (purpose === 'voice-clone-input') return target.limits.voiceClone.bytes
  const rule = purposes.get(purpose)
  return isImage ? rule?.imageBytes : rule?.bytes
}

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
function readFile(json: unknown, known: KnownFile): ServiceFile {
  const file = isRecord(json) ? fileOf(json, known) : null
  if (!file) throw malformed('no-file-id')
  return file
}

/** Reads a list of files; rows without an ID are omitted, since they cannot be used. */
function readFiles(
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
function readDeletion(json: unknown): { readonly deleted: boolean } {
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

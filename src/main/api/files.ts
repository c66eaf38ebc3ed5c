import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import type { FormFile } from './multipart.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { notBuilt } from './not-built.ts'

/** What an uploaded file is for (service-notes 2); other words are passed on. */
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
export interface ServiceFile {
  readonly id: string
  readonly bytes: number | null
  /** Unix seconds. */
  readonly createdAt: number | null
  readonly filename: string
  readonly purpose: string
  readonly status: string | null
}

/** The file interface (service-notes 2), which cloning and attachments need. */
export interface FilesApi {
  /** `POST /paas/v4/files`, streamed from disk. Endings and sizes of the purpose are checked first. Creates. */
  upload(
    target: ServiceTarget,
    request: { readonly file: FormFile; readonly purpose: FilePurpose },
    options: CallOptions,
  ): Promise<Answered<ServiceFile>>
  /** `GET /paas/v4/files`. */
  list(
    target: ServiceTarget,
    request: { readonly purpose: FilePurpose; readonly limit?: number; readonly after?: string },
    options: CallOptions,
  ): Promise<Answered<{ readonly files: readonly ServiceFile[]; readonly hasMore: boolean }>>
  /** `DELETE /paas/v4/files/{id}`. */
  delete(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions,
  ): Promise<Answered<{ readonly deleted: boolean }>>
  /** `GET /paas/v4/files/{id}/content`, streamed to the file `to`, which exists afterwards whole or not at all. */
  content(
    target: ServiceTarget,
    request: { readonly id: string; readonly to: string },
    options: CallOptions,
  ): Promise<Answered<{ readonly bytes: number; readonly contentType: string }>>
}

/** Builds the family over the parts every call is made of. */
export function createFiles(parts: CallParts): FilesApi {
  return notBuilt(parts)
}

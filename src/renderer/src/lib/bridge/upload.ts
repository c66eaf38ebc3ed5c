import type { Reply } from '../../../../shared/contract/reply.ts'
import {
  intakeNameHeader,
  tabKey,
  uploadPaths,
  type ArchiveReply,
  type FileTarget,
  type IntakeReply,
} from '../../../../shared/contract/transport.ts'
import { readTabKey } from './tab-key.ts'

/** Progress callback and abort signal of an upload. */
export interface UploadOptions {
  /** Receives the progress, 0 to 1. */
  onProgress?(fraction: number): void
  readonly signal?: AbortSignal
}

/** Uploads a file to be saved in the library. Never rejects: transport errors are also returned as envelopes. */
export const uploadFile = (file: File, options?: UploadOptions): Promise<Reply<IntakeReply>> =>
  hand('intake', file, options)

/** Uploads an archive of a library in the same way. */
export const uploadArchive = (file: File, options?: UploadOptions): Promise<Reply<ArchiveReply>> =>
  hand('archive', file, options)

function hand<T>(target: FileTarget, file: File, options: UploadOptions = {}): Promise<Reply<T>> {
  if (!window.lectern) return put(uploadPaths[target], file, options)
  const transfer = window.lectern.takeFile(file, target, (fraction) =>
    options.onProgress?.(fraction),
  )
  if (options.signal?.aborted) transfer.stop()
  options.signal?.addEventListener('abort', () => transfer.stop(), { once: true })
  return transfer.done as Promise<Reply<T>>
}

/** Uploads a file to the temporary library of a self-test (`PUT /self-test/intake`), in the same way. */
export const uploadForSelfTest = (
  file: File,
  options?: UploadOptions,
): Promise<Reply<IntakeReply>> => hand('self-test', file, options)

function put<T>(path: string, file: File, options: UploadOptions = {}): Promise<Reply<T>> {
  return new Promise((resolve) => {
    // XMLHttpRequest, because fetch cannot report upload progress.
    const request = new XMLHttpRequest()
    const fail = (code: 'CANCELLED' | 'INTERNAL', message: string): void =>
      resolve({
        ok: false,
        error: { code, message, retriable: code === 'INTERNAL', at: Date.now() },
      })
    request.open('PUT', path)
    request.setRequestHeader(intakeNameHeader, encodeURIComponent(file.name))
    const key = readTabKey()
    if (key !== null) request.setRequestHeader(tabKey.header, key)
    request.responseType = 'text'
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total)
    }
    request.onload = () => {
      const reply = parse<T>(request.responseText)
      if (reply) resolve(reply)
      else fail('INTERNAL', `The upload failed with status ${request.status}`)
    }
    request.onerror = () => fail('INTERNAL', 'The file could not be uploaded')
    request.onabort = () => fail('CANCELLED', 'The upload was stopped')
    options.signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

function parse<T>(text: string): Reply<T> | null {
  try {
    const value = JSON.parse(text) as Reply<T>
    return typeof value.ok === 'boolean' ? value : null
  } catch {
    return null
  }
}

import type { Reply } from '../../../shared/bridge/reply.ts'
import {
  archivePath,
  intakeNameHeader,
  intakePath,
  tabKey,
  type ArchiveReply,
  type IntakeReply,
} from '../../../shared/bridge/transport.ts'
import { readTabKey } from './tab-key.ts'

/** How an upload is watched and stopped. */
export interface UploadOptions {
  /** 0 to 1. */
  onProgress?(fraction: number): void
  readonly signal?: AbortSignal
}

/** Streams one file to main (`PUT /intake`). Never rejects: what goes wrong on the way is an envelope too. */
export const uploadFile = (file: File, options?: UploadOptions): Promise<Reply<IntakeReply>> =>
  put(intakePath, file, options)

/** Streams an archive of a library to main (`PUT /archive`), in the same way. */
export const uploadArchive = (file: File, options?: UploadOptions): Promise<Reply<ArchiveReply>> =>
  put(archivePath, file, options)

function put<T>(path: string, file: File, options: UploadOptions = {}): Promise<Reply<T>> {
  return new Promise((resolve) => {
    // XMLHttpRequest, since fetch cannot tell how much of a body has left.
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
      else fail('INTERNAL', `The intake answered with status ${request.status}`)
    }
    request.onerror = () => fail('INTERNAL', 'The file could not be handed over')
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

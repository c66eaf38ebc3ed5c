import type { Reply } from '../../../shared/bridge/reply.ts'
import {
  intakeNameHeader,
  intakePath,
  tabKey,
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
export function uploadFile(file: File, options: UploadOptions = {}): Promise<Reply<IntakeReply>> {
  return new Promise((resolve) => {
    // XMLHttpRequest, since fetch cannot tell how much of a body has left.
    const request = new XMLHttpRequest()
    const fail = (code: 'CANCELLED' | 'INTERNAL', message: string): void =>
      resolve({
        ok: false,
        error: { code, message, retriable: code === 'INTERNAL', at: Date.now() },
      })
    request.open('PUT', intakePath)
    request.setRequestHeader(intakeNameHeader, encodeURIComponent(file.name))
    const key = readTabKey()
    if (key !== null) request.setRequestHeader(tabKey.header, key)
    request.responseType = 'text'
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total)
    }
    request.onload = () => {
      const reply = parse(request.responseText)
      if (reply) resolve(reply)
      else fail('INTERNAL', `The intake answered with status ${request.status}`)
    }
    request.onerror = () => fail('INTERNAL', 'The file could not be handed over')
    request.onabort = () => fail('CANCELLED', 'The upload was stopped')
    options.signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

function parse(text: string): Reply<IntakeReply> | null {
  try {
    const value = JSON.parse(text) as Reply<IntakeReply>
    return typeof value.ok === 'boolean' ? value : null
  } catch {
    return null
  }
}

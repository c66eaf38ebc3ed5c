import { shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ChatAttachment, ChatSettings } from '../../../../../shared/model/chat.ts'
import { maxUploadBytes } from '../../../../../shared/provider/file-purposes.ts'
import { limits } from '../../../../../shared/provider/limits.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { fateOf } from './attachments.ts'

/** File being uploaded for a question. */
export interface Upload {
  readonly id: number
  /** ID of the chat it belongs to. */
  readonly to: string
  readonly name: string
  /** Upload progress, 0 to 1. */
  readonly progress: number
  readonly failure: Failure | null
}

type Refusal = 'EMPTY_FILE' | 'UNSUPPORTED_FORMAT' | 'FILE_TOO_LARGE'

/** Uploads pasted, dropped or chosen files to main; each becomes an attachment. */
export function useUploads(attach: (to: string, one: ChatAttachment) => void) {
  const client = useClient()
  const uploads = shallowRef<readonly Upload[]>([])
  const aborts = new Map<number, AbortController>()
  let next = 1
  let line: Promise<void> = Promise.resolve()

  const patch = (id: number, change: Partial<Upload>): void => {
    uploads.value = uploads.value.map((one) => (one.id === id ? { ...one, ...change } : one))
  }
  const drop = (id: number): void => {
    aborts.get(id)?.abort()
    aborts.delete(id)
    uploads.value = uploads.value.filter((one) => one.id !== id)
  }
  const begin = (to: string, name: string): number => {
    const id = next++
    aborts.set(id, new AbortController())
    uploads.value = [...uploads.value, { id, to, name, progress: 0, failure: null }]
    return id
  }
  /** Returns the attachment for a file; null if it failed, with the reason in its row. */
  const bring = async (
    id: number,
    given: File,
    fate: 'picture' | 'file',
  ): Promise<ChatAttachment | null> => {
    const signal = aborts.get(id)?.signal
    if (!signal) return null
    const refuse = (code: Refusal, message: string, params: Failure['params'] = {}): null => {
      patch(id, { failure: { code, message, retriable: false, at: Date.now(), params } })
      return null
    }
    if (given.size === 0) return refuse('EMPTY_FILE', 'The file is empty')
    const file = fate === 'picture' ? await asSendable(given) : given
    if (!file) return refuse('UNSUPPORTED_FORMAT', 'The image could not be read')
    const limit = fate === 'picture' ? limits.layout.imageBytes : maxUploadBytes
    if (file.size > limit)
      return refuse('FILE_TOO_LARGE', 'The file exceeds the size limit', {
        limit,
        value: file.size,
      })
    if (signal.aborted) return null
    const reply = await client.upload(file, {
      signal,
      onProgress: (progress) => patch(id, { progress }),
    })
    if (signal.aborted) return null
    if (!reply.ok) {
      patch(id, { failure: reply.error })
      return null
    }
    const { id: mediaId, mime } = reply.data.media
    if (fate === 'picture' && mime !== 'image/png' && mime !== 'image/jpeg')
      return refuse('UNSUPPORTED_FORMAT', `The content type is ${mime}`)
    const { name } = given
    return fate === 'picture'
      ? { kind: 'image', mediaId, name }
      : { kind: 'file', mediaId, name, fileId: null }
  }
  /** Uploads files in parallel and attaches them in the given order. */
  const add = (to: string, file: File, fate: 'picture' | 'file'): void => {
    const id = begin(to, file.name)
    const pending = bring(id, file, fate)
    line = line.then(async () => {
      const one = await pending
      if (!one || !aborts.has(id)) return
      drop(id)
      attach(to, one)
    })
  }
  /** Accepts supported files, at most `room`; returns the names of the rejected ones, and how many were too many. */
  const take = (
    to: string,
    files: readonly File[],
    who: ChatSettings['kind'] | null,
    room: number,
  ): { readonly refused: readonly string[]; readonly over: number } => {
    const refused: string[] = []
    let left = room
    for (const file of files) {
      const fate = fateOf(file, who)
      if (fate === 'refused') refused.push(file.name)
      else if (left-- > 0) add(to, file, fate)
    }
    return { refused, over: Math.max(0, -left) }
  }
  return { uploads, take, drop }
}

const ready = /^image\/(png|jpeg)$/

/** Converts an image to a PNG or JPEG, which a message can contain; null if it cannot be read as an image. */
async function asSendable(file: File): Promise<File | null> {
  if (ready.test(file.type) || (file.type === '' && /\.(png|jpe?g)$/i.test(file.name))) return file
  try {
    const bitmap = await createImageBitmap(file)
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    bitmap.close()
    const blob = await canvas.convertToBlob({ type: 'image/png' })
    return new File([blob], `${file.name.replace(/\.\w{1,5}$/, '')}.png`, { type: 'image/png' })
  } catch {
    // Not an image, or one that is too large to be drawn.
    return null
  }
}

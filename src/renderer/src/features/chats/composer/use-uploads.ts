import { shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/bridge/reply.ts'
import type { ChatAttachment, ChatSettings } from '../../../../../shared/model/chat.ts'
import { mostUploadBytes } from '../../../../../shared/service/file-purposes.ts'
import { limits } from '../../../../../shared/service/limits.ts'
import { useClient } from '../../../api/use-client.ts'
import { fateOf } from './attachments.ts'
import { asSendable } from './sendable-picture.ts'

/** A file on its way to a question. */
export interface Upload {
  readonly id: number
  /** The conversation it belongs to. */
  readonly to: string
  readonly name: string
  /** 0 to 1. */
  readonly progress: number
  readonly failure: Failure | null
}

type Refusal = 'EMPTY_FILE' | 'UNSUPPORTED_FORMAT' | 'FILE_TOO_LARGE'

/** Files that were pasted, dropped or chosen: each is handed to main and becomes an attachment. */
export function useUploads(attach: (to: string, one: ChatAttachment) => void) {
  const client = useClient()
  const uploads = shallowRef<readonly Upload[]>([])
  const aborts = new Map<number, AbortController>()
  let next = 1

  const patch = (id: number, change: Partial<Upload>): void => {
    uploads.value = uploads.value.map((one) => (one.id === id ? { ...one, ...change } : one))
  }
  const drop = (id: number): void => {
    aborts.get(id)?.abort()
    aborts.delete(id)
    uploads.value = uploads.value.filter((one) => one.id !== id)
  }
  const bring = async (to: string, given: File, fate: 'picture' | 'file'): Promise<void> => {
    const id = next++
    const abort = new AbortController()
    aborts.set(id, abort)
    uploads.value = [...uploads.value, { id, to, name: given.name, progress: 0, failure: null }]
    const refuse = (code: Refusal, message: string, params: Failure['params'] = {}): void =>
      patch(id, { failure: { code, message, retriable: false, at: Date.now(), params } })
    if (given.size === 0) return refuse('EMPTY_FILE', 'The file is empty')
    const file = fate === 'picture' ? await asSendable(given) : given
    if (!file) return refuse('UNSUPPORTED_FORMAT', 'The picture could not be read')
    const limit = fate === 'picture' ? limits.layout.imageBytes : mostUploadBytes
    if (file.size > limit)
      return refuse('FILE_TOO_LARGE', 'The file is over the limit', { limit, value: file.size })
    if (abort.signal.aborted) return
    const reply = await client.upload(file, {
      signal: abort.signal,
      onProgress: (progress) => patch(id, { progress }),
    })
    if (abort.signal.aborted) return
    if (!reply.ok) return patch(id, { failure: reply.error })
    const { id: mediaId, mime } = reply.data.media
    if (fate === 'picture' && mime !== 'image/png' && mime !== 'image/jpeg')
      return refuse('UNSUPPORTED_FORMAT', `Its content is ${mime}`)
    drop(id)
    const { name } = given
    attach(
      to,
      fate === 'picture'
        ? { kind: 'image', mediaId, name }
        : { kind: 'file', mediaId, name, fileId: null },
    )
  }
  /** Takes what whoever answers takes, at most `room` of it; gives the names of what is refused, and how many were too many. */
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
      else if (left-- > 0) void bring(to, file, fate)
    }
    return { refused, over: Math.max(0, -left) }
  }
  return { uploads, take, drop }
}

import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { Media } from '../../../../../shared/model/library.ts'
import { callerId, useClient } from '../../../lib/bridge/use-client.ts'
import { readMedia } from '../../../lib/bridge/read-media.ts'
import { useCopy } from '../../../kit/use-copy.ts'
import { createLatest } from '../../../kit/use-latest.ts'
import { useSave } from '../../library/index.ts'

/** Requests the file; `callId` cancels it. */
export type Ask = (callId: string) => Promise<Reply<{ readonly media: Media }>>

/**
 * Writes a meeting to a file that is saved or copied to the clipboard, one at a time. Failures are in `failure`; with `toast` those of
 * saving are also shown as notices.
 */
export function useExport(failures: 'panel' | 'toast' = 'panel') {
  const client = useClient()
  const { copied, copy: copyText } = useCopy()
  const saver = useSave(failures)
  const busy = ref<'save' | 'copy' | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const copyRefused = ref(false)
  const latest = createLatest()
  let callId = ''

  const begin = (what: 'save' | 'copy'): (() => boolean) => {
    busy.value = what
    failure.value = null
    copyRefused.value = false
    callId = callerId()
    return latest.start()
  }

  /** Returns whether a copy was saved. */
  const save = async (ask: Ask): Promise<boolean> => {
    if (busy.value !== null) return false
    const isLatest = begin('save')
    const saved = await saver.saveExport(() => ask(callId))
    if (!isLatest()) return saved
    busy.value = null
    failure.value = saver.failure.value
    return saved
  }
  /** Copies exactly what would be saved. */
  const copy = async (ask: Ask): Promise<void> => {
    if (busy.value !== null) return
    const isLatest = begin('copy')
    const reply = await ask(callId)
    if (!isLatest()) return
    if (!reply.ok) {
      busy.value = null
      failure.value = reply.error
      return
    }
    const url = client.mediaUrl(reply.data.media.id)
    const bytes = await readMedia(url, 0, new AbortController().signal)
    if (!isLatest()) return
    if (bytes) await copyText(new TextDecoder().decode(bytes))
    busy.value = null
    copyRefused.value = !copied.value
  }
  /** Cancels running work. */
  const cancel = (): void => {
    latest.cancel()
    saver.cancel()
    if (busy.value) void client.request('streams.cancel', { callId })
    busy.value = null
  }
  /** The view is left: a file that is being written is offered in a notice, and nothing is copied. */
  const leave = (): void => {
    if (busy.value !== 'save') return cancel()
    latest.cancel()
    saver.leave()
    busy.value = null
  }
  return { busy, failure, copied, copyRefused, save, copy, leave, cancel }
}

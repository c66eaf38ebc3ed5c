import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../shared/bridge/reply.ts'
import type { Media } from '../../../../shared/model/library.ts'
import { callerId, useClient } from '../../api/use-client.ts'
import { readMedia } from '../../api/read-media.ts'
import { useCopy } from '../../ui/use-copy.ts'
import { saveFile } from './save-file.ts'

/** Asks for the file; `callId` is what it can be cancelled by. */
export type Ask = (callId: string) => Promise<Reply<{ readonly media: Media }>>

/** Writes a meeting into a file and gives it to the user: as a download, or on the clipboard. */
export function useExport() {
  const client = useClient()
  const { copied, copy: copyText } = useCopy()
  const busy = ref<'save' | 'copy' | null>(null)
  const failure = shallowRef<Failure | null>(null)
  /** The name of the last file that was given out. */
  const saved = ref<string | null>(null)
  const copyRefused = ref(false)
  let turn = 0
  let callId = ''

  const begin = (what: 'save' | 'copy'): number => {
    busy.value = what
    failure.value = null
    saved.value = null
    copyRefused.value = false
    return ++turn
  }
  const written = async (what: 'save' | 'copy', ask: Ask): Promise<Media | null> => {
    const mine = begin(what)
    callId = callerId()
    const reply = await ask(callId)
    if (mine !== turn) return null
    if (what === 'save' || !reply.ok) busy.value = null
    failure.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data.media : null
  }

  const save = async (ask: Ask): Promise<void> => {
    const media = await written('save', ask)
    if (!media) return
    saveFile(client.mediaUrl(media.id), media.name)
    saved.value = media.name
  }
  /** Copies exactly what would be saved. */
  const copy = async (ask: Ask): Promise<void> => {
    const media = await written('copy', ask)
    if (!media) return
    const mine = turn
    const bytes = await readMedia(client.mediaUrl(media.id), 0, new AbortController().signal)
    if (mine !== turn) return
    if (bytes) await copyText(new TextDecoder().decode(bytes))
    busy.value = null
    copyRefused.value = !copied.value
  }
  /** Ends what is under way. */
  const leave = (): void => {
    turn += 1
    if (busy.value) void client.request('streams.cancel', { callId })
    busy.value = null
  }
  return { busy, failure, saved, copied, copyRefused, save, copy, leave }
}

import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../shared/bridge/reply.ts'
import type { Media } from '../../../../shared/model/library.ts'
import { useClient } from '../../api/use-client.ts'
import { readMedia } from '../../api/read-media.ts'
import { useCopy } from '../../ui/use-copy.ts'
import { saveFile } from './save-file.ts'

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

  const begin = (what: 'save' | 'copy'): number => {
    busy.value = what
    failure.value = null
    saved.value = null
    copyRefused.value = false
    return ++turn
  }
  const written = async (
    what: 'save' | 'copy',
    ask: () => Promise<Reply<{ readonly media: Media }>>,
  ): Promise<Media | null> => {
    const mine = begin(what)
    const reply = await ask()
    if (mine !== turn) return null
    if (what === 'save' || !reply.ok) busy.value = null
    failure.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data.media : null
  }

  const save = async (ask: () => Promise<Reply<{ readonly media: Media }>>): Promise<void> => {
    const media = await written('save', ask)
    if (!media) return
    saveFile(client.mediaUrl(media.id), media.name)
    saved.value = media.name
  }
  /** Copies exactly what would be saved. */
  const copy = async (ask: () => Promise<Reply<{ readonly media: Media }>>): Promise<void> => {
    const media = await written('copy', ask)
    if (!media) return
    const mine = turn
    const bytes = await readMedia(client.mediaUrl(media.id), 0, new AbortController().signal)
    if (mine !== turn) return
    if (bytes) await copyText(new TextDecoder().decode(bytes))
    busy.value = null
    copyRefused.value = !copied.value
  }
  /** What is under way is not waited for any more. */
  const leave = (): void => {
    turn += 1
    busy.value = null
  }
  return { busy, failure, saved, copied, copyRefused, save, copy, leave }
}

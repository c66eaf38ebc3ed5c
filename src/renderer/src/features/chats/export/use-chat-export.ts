import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/bridge/reply.ts'
import { useClient } from '../../../api/use-client.ts'
import { saveFile } from '../../export/save-file.ts'
import type { ChatFormat } from './preferences.ts'

/** Writes conversations into a file and gives it to the user as a download. */
export function useChatExport() {
  const client = useClient()
  const busy = ref(false)
  const failure = shallowRef<Failure | null>(null)
  /** The name of the last file that was given out. */
  const saved = ref<string | null>(null)
  let turn = 0

  const save = async (
    ids: readonly string[],
    format: ChatFormat,
    steps: boolean,
    language: string,
  ): Promise<void> => {
    const [id, ...also] = ids
    if (id === undefined || busy.value) return
    const mine = (turn += 1)
    busy.value = true
    failure.value = null
    saved.value = null
    const spoken = language.startsWith('zh') ? 'zh' : 'en'
    const reply = await client.request('chats.export', {
      id,
      also,
      format,
      steps,
      language: spoken,
    })
    if (mine !== turn) return
    busy.value = false
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) return
    saveFile(client.mediaUrl(reply.data.mediaId), reply.data.name)
    saved.value = reply.data.name
  }
  /** Whatever comes now is not given out any more. */
  const leave = (): void => {
    turn += 1
    busy.value = false
  }
  return { busy, failure, saved, save, leave }
}

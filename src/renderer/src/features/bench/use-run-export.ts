import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { RunsExport } from '../../../../shared/bridge/runs.ts'
import { useClient } from '../../api/use-client.ts'
import { saveFile } from '../export/save-file.ts'

/** Saves runs as one JSON file, which main writes: there may be more of them than a page holds. */
export function useRunExport() {
  const client = useClient()
  const busy = ref(false)
  const failure = shallowRef<Failure | null>(null)
  const save = async (wanted: RunsExport): Promise<void> => {
    if (busy.value) return
    busy.value = true
    const reply = await client.request('runs.export', wanted)
    busy.value = false
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) saveFile(client.mediaUrl(reply.data.mediaId), reply.data.name)
  }
  return { busy, failure, save }
}

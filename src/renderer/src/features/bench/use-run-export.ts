import { ref } from 'vue'
import type { Run } from '../../../../shared/model/run.ts'
import type { RawBody } from '../../../../shared/model/raw-body.ts'
import { useClient } from '../../api/use-client.ts'
import { saveText } from '../export/save-text.ts'

/** A run as a file holds it: all that went in and came out, with the reply as received. */
export interface ExportedRun extends Omit<Run, 'streamId'> {
  readonly reply: RawBody | null
}

/** The text of a file of runs. */
export const runsFile = (runs: readonly ExportedRun[]): string =>
  `${JSON.stringify({ format: 'lectern-runs', version: 1, runs }, null, 2)}\n`

/** Saves runs as one JSON file. */
export function useRunExport() {
  const client = useClient()
  const busy = ref(false)
  const read = async (id: string): Promise<ExportedRun | null> => {
    const [run, raw] = await Promise.all([
      client.request('runs.get', { id }),
      client.request('runs.raw', { id }),
    ])
    if (!run.ok) return null
    const { streamId: _, ...rest } = run.data
    return { ...rest, reply: raw.ok ? raw.data.reply : null }
  }
  /** True when there was something to save. */
  const save = async (ids: readonly string[], name: string): Promise<boolean> => {
    if (busy.value) return false
    busy.value = true
    const runs: ExportedRun[] = []
    // One after the other: replies can be large, and the page stays free between two.
    for (const id of ids) {
      const run = await read(id)
      if (run) runs.push(run)
    }
    busy.value = false
    if (runs.length > 0) saveText(runsFile(runs), 'application/json', `${name}.json`)
    return runs.length > 0
  }
  return { busy, save }
}

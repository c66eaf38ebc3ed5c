import { ref } from 'vue'
import type { Reply } from '../../../../shared/bridge/reply.ts'
import type { RawBody } from '../../../../shared/model/raw-body.ts'
import { saveText } from '../export/save-text.ts'
import type { Which } from './kept-store.ts'

/** What a list of rows is saved from. */
export interface Exported<R> {
  readonly rows: readonly R[]
  rawOf(which: Which): Promise<Reply<{ readonly reply: RawBody | null }>>
}

/** Saves listed rows with their newest replies as received, as one JSON file. */
export function useListExport() {
  const busy = ref(false)
  const save = async <R extends { readonly id: string }>(
    rows: readonly R[],
    { rawOf }: Pick<Exported<R>, 'rawOf'>,
    name: string,
  ): Promise<void> => {
    if (busy.value) return
    busy.value = true
    const entries = []
    // One after the other: replies can be large, and the page stays free between two.
    for (const row of rows) {
      const raw = await rawOf({ id: row.id })
      entries.push({ ...row, reply: raw.ok ? raw.data.reply : null })
    }
    busy.value = false
    const file = { format: `lectern-${name}`, version: 1, [name]: entries }
    saveText(`${JSON.stringify(file, null, 2)}\n`, 'application/json', `${name}.json`)
  }
  return { busy, save }
}

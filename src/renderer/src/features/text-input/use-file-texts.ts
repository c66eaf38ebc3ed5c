import { onScopeDispose, ref, shallowRef } from 'vue'
import type { FileAnswer, FileRequest } from './file-messages.ts'
import type { TextChoice, TextTable } from './table.ts'

/** A file of texts that was chosen, read by a worker. */
export function useFileTexts() {
  const name = ref('')
  const table = shallowRef<TextTable | null>(null)
  const rows = shallowRef<readonly string[]>([])
  const trouble = ref<Extract<FileAnswer, { type: 'failed' }>['why'] | null>(null)
  const busy = ref(false)
  let worker: Worker | null = null
  let turn = 0

  const ask = (request: FileRequest): Promise<FileAnswer> => {
    worker ??= new Worker(new URL('./file-worker.ts', import.meta.url), { type: 'module' })
    const asked = worker
    return new Promise((resolve) => {
      asked.onmessage = ({ data }: MessageEvent<FileAnswer>) => resolve(data)
      asked.onerror = () => resolve({ type: 'failed', why: 'unreadable' })
      asked.postMessage(request)
    })
  }
  const choose = async (choice: TextChoice): Promise<void> => {
    const mine = ++turn
    const told = await ask({ type: 'rows', choice })
    if (mine === turn && told.type === 'rows') rows.value = told.rows
  }
  const read = async (file: File): Promise<void> => {
    const mine = ++turn
    busy.value = true
    trouble.value = null
    table.value = null
    rows.value = []
    name.value = file.name
    const told = await ask({ type: 'read', file })
    if (mine !== turn) return
    busy.value = false
    if (told.type === 'read') table.value = told.table
    if (told.type === 'failed') trouble.value = told.why
  }
  const clear = (): void => {
    turn += 1
    table.value = null
    rows.value = []
    name.value = ''
    trouble.value = null
  }
  onScopeDispose(() => worker?.terminate())
  return { name, table, rows, trouble, busy, read, choose, clear }
}

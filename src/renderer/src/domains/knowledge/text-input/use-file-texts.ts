import { onScopeDispose, ref, shallowRef } from 'vue'
import type { FileAnswer, FileRequest } from './file-messages.ts'
import type { TextChoice, TextTable } from './table.ts'

/** A chosen text file, read by a worker. */
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
    const target = worker
    return new Promise((resolve) => {
      target.onmessage = ({ data }: MessageEvent<FileAnswer>) => resolve(data)
      target.onerror = () => resolve({ type: 'failed', why: 'unreadable' })
      target.postMessage(request)
    })
  }
  const choose = async (choice: TextChoice): Promise<void> => {
    const mine = ++turn
    const answer = await ask({ type: 'rows', choice })
    if (mine === turn && answer.type === 'rows') rows.value = answer.rows
  }
  const read = async (file: File): Promise<void> => {
    const mine = ++turn
    busy.value = true
    trouble.value = null
    table.value = null
    rows.value = []
    name.value = file.name
    const answer = await ask({ type: 'read', file })
    if (mine !== turn) return
    busy.value = false
    if (answer.type === 'read') table.value = answer.table
    if (answer.type === 'failed') trouble.value = answer.why
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

import { onScopeDispose, ref, shallowRef } from 'vue'
import type { FileAnswer, FileRequest } from './file-messages.ts'
import type { TextChoice, TextTable } from './table.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** A chosen text file, read by a worker. */
export function useFileTexts() {
  const name = ref('')
  const table = shallowRef<TextTable | null>(null)
  const rows = shallowRef<readonly string[]>([])
  const trouble = ref<Extract<FileAnswer, { type: 'failed' }>['why'] | null>(null)
  const busy = ref(false)
  let worker: Worker | null = null
  const latest = createLatest()

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
    const isLatest = latest.start()
    const answer = await ask({ type: 'rows', choice })
    if (isLatest() && answer.type === 'rows') rows.value = answer.rows
  }
  const read = async (file: File): Promise<void> => {
    const isLatest = latest.start()
    busy.value = true
    trouble.value = null
    table.value = null
    rows.value = []
    name.value = file.name
    const answer = await ask({ type: 'read', file })
    if (!isLatest()) return
    busy.value = false
    if (answer.type === 'read') table.value = answer.table
    if (answer.type === 'failed') trouble.value = answer.why
  }
  const clear = (): void => {
    latest.cancel()
    table.value = null
    rows.value = []
    name.value = ''
    trouble.value = null
  }
  onScopeDispose(() => worker?.terminate())
  return { name, table, rows, trouble, busy, read, choose, clear }
}

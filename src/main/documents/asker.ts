import { AppError } from '../errors.ts'
import { errorOf } from '../sound/failed.ts'
import { createWorkerClient } from '../workers/client.ts'
import type { DocumentAnswer, DocumentRequest } from './messages.ts'

/** One run of the documents program, which rests while nobody asks. */
export interface Asker {
  ask<Type extends DocumentAnswer['type']>(
    request: DocumentRequest,
    type: Type,
  ): Promise<Extract<DocumentAnswer, { type: Type }>>
  forget(path: string): Promise<void>
  close(): Promise<void>
}

/** A program holds an opened document and two libraries, some hundred megabytes: it ends when nobody asked for this long. */
const idleMs = 60_000

/** Bytes that a program may hold: twice the largest file that is taken apart, as changing it copies it. */
const mostMemory = 1_600_000_000

/** Makes one; the program is started by its first call. `timeoutMs` is the longest that one answer may take. */
export function createAsker(url: URL, name: string, timeoutMs: number): Asker {
  const worker = createWorkerClient<DocumentRequest, DocumentAnswer>({
    url,
    name,
    timeoutMs,
    mostMemory,
  })
  let waiting = 0
  let running = false
  let rest: NodeJS.Timeout | undefined

  function end(): void {
    running = false
    void worker.stop()
  }

  async function ask<Type extends DocumentAnswer['type']>(
    request: DocumentRequest,
    type: Type,
  ): Promise<Extract<DocumentAnswer, { type: Type }>> {
    clearTimeout(rest)
    waiting += 1
    running = true
    try {
      const answer = await worker.call(request).catch((error: unknown) => {
        throw tookTooMuch(error) ? new AppError('DAMAGED_FILE', error.message) : error
      })
      if (answer.type === 'failed') throw errorOf(answer)
      if (!isOf(answer, type)) throw new Error(`${name} answered ${answer.type}`)
      return answer
    } finally {
      waiting -= 1
      if (waiting === 0) rest = setTimeout(end, idleMs).unref()
    }
  }

  return {
    ask,
    async forget(path) {
      if (running) await ask({ type: 'close', path }, 'none')
    },
    async close() {
      clearTimeout(rest)
      await worker.close()
    },
  }
}

/** Nothing that a person wrote unfolds to gigabytes. */
const tookTooMuch = (error: unknown): error is AppError =>
  error instanceof AppError &&
  error.code === 'LIMIT_EXCEEDED' &&
  error.params?.['what'] === 'memory'

const isOf = <Type extends DocumentAnswer['type']>(
  answer: DocumentAnswer,
  type: Type,
): answer is Extract<DocumentAnswer, { type: Type }> => answer.type === type

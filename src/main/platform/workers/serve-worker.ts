import { parentPort } from 'node:worker_threads'
import { endMessage, failed, type WorkerAnswer, type WorkerRequest } from './messages.ts'

/** Optional behavior of a program besides responding. */
interface ServeOptions<Answer> {
  /** Returns the buffers of a response that are transferred to the other thread instead of copied. */
  memoryOf?(answer: Answer): ArrayBuffer[]
  /** Releases resources that prevent the thread from ending. */
  end?(): Promise<void>
}

/** Responds to every request of the main thread with the result of `work`. The other end is `client.ts`. */
export function serve<Request, Answer>(
  work: (request: Request) => Answer | Promise<Answer>,
  options: ServeOptions<Answer> = {},
): void {
  const port = parentPort
  if (!port) throw new Error('This program must run as a worker')
  port.on('message', (message: WorkerRequest | typeof endMessage) => {
    if (message === endMessage) {
      port.close()
      void options.end?.()
      return
    }
    const { id, request } = message
    void answerTo<Answer>(id, () => work(request as Request)).then(({ answer, value }) =>
      port.postMessage(answer, value === undefined ? [] : (options.memoryOf?.(value) ?? [])),
    )
  })
}

async function answerTo<Answer>(
  id: number,
  work: () => Answer | Promise<Answer>,
): Promise<{ readonly answer: WorkerAnswer; readonly value?: Answer }> {
  try {
    const value = await work()
    return { answer: { id, ok: true, value }, value }
  } catch (error) {
    return { answer: failed(id, error) }
  }
}

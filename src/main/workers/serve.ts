import { parentPort } from 'node:worker_threads'
import { endMessage, failed, type WorkerAnswer, type WorkerRequest } from './messages.ts'

/** Answers every request of the main thread with what `work` makes of it. The other end is `client.ts`. */
export function serve<Request, Answer>(work: (request: Request) => Answer | Promise<Answer>): void {
  const port = parentPort
  if (!port) throw new Error('This program runs as a worker')
  port.on('message', (message: WorkerRequest | typeof endMessage) => {
    if (message === endMessage) return port.close()
    const { id, request } = message
    void answerTo(id, () => work(request as Request)).then((answer) => port.postMessage(answer))
  })
}

async function answerTo(id: number, work: () => unknown): Promise<WorkerAnswer> {
  try {
    return { id, ok: true, value: await work() }
  } catch (error) {
    return failed(id, error)
  }
}

import type { Reply } from '../../../../../shared/contract/reply.ts'

/** Sends small messages to main in order, however long it is unreachable; skips a message that is refused. */
interface Outbox<T> {
  add(message: T): void
  /** Called when main may be reachable again. */
  hurry(): void
  /** Resolves when no message is pending. */
  settled(): Promise<void>
}

/** Creates the outbox. Retries a failed attempt after `pauseMs`, or earlier on `hurry`. */
export function createOutbox<T>(
  send: (message: T) => Promise<Reply<unknown>>,
  wait: (ms: number) => Promise<void>,
  pauseMs = 2000,
): Outbox<T> {
  const waiting: T[] = []
  let busy = false
  let running: Promise<void> = Promise.resolve()
  let wake: () => void = () => {}
  const run = async (): Promise<void> => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const reply = await send(first)
      if (reply.ok || !reply.error.retriable) {
        waiting.shift()
        continue
      }
      await Promise.race([wait(pauseMs), new Promise<void>((resolve) => (wake = resolve))])
    }
    busy = false
  }
  return {
    add(message) {
      waiting.push(message)
      if (busy) return
      busy = true
      running = run()
    },
    hurry: () => wake(),
    async settled() {
      while (busy) await running
    },
  }
}

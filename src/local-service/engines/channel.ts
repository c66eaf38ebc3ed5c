/** Queue from a callback to a `for await` loop: no value is lost, and it may end with an error. */
export interface Channel<T> {
  push(value: T): void
  /** Ends the channel. */
  close(): void
  /** Ends the channel with an error, which the consumer gets after the values pushed before. */
  fail(error: unknown): void
  readonly values: AsyncIterable<T>
}

/** Creates an empty channel for one consumer. */
export function createChannel<T>(): Channel<T> {
  const waiting: T[] = []
  let end: { readonly error?: unknown } | undefined
  let wake: () => void = () => undefined

  async function* read(): AsyncGenerator<T> {
    for (;;) {
      const value = waiting.shift()
      if (value !== undefined) {
        yield value
        continue
      }
      if (end && 'error' in end) throw end.error
      if (end) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  const finish = (how: { readonly error?: unknown }): void => {
    end ??= how
    wake()
  }
  return {
    push(value) {
      waiting.push(value)
      wake()
    },
    close: () => finish({}),
    fail: (error) => finish({ error }),
    values: read(),
  }
}

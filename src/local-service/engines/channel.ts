/** Values on their way from a callback to a `for await`: nothing is lost between them, and the end may be an error. */
export interface Channel<T> {
  push(value: T): void
  /** No more values. */
  close(): void
  /** No more values; the reader gets this error after what was pushed before. */
  fail(error: unknown): void
  readonly values: AsyncIterable<T>
}

/** An empty channel for one reader. */
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

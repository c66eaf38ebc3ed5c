import type { ExportPage } from './types.ts'

/** Pages on their way from one who brings them in stretches to one who takes them singly. */
export interface PageQueue {
  /** Taken once. */
  readonly pages: AsyncIterable<ExportPage>
  /** Resolves when all of them are taken, and another is asked for. */
  add(pages: readonly ExportPage[]): Promise<void>
  /** No more will come. */
  end(): void
  /** Whoever takes pages gets this error in place of the next. */
  fail(error: Error): void
}

/** Builds a queue that never holds more than what was added last. */
export function createPageQueue(): PageQueue {
  let held: readonly ExportPage[] = []
  let over: { readonly error: Error | null } | null = null
  let hungry = Promise.withResolvers<void>()
  let fed = Promise.withResolvers<void>()

  async function* take(): AsyncGenerator<ExportPage> {
    for (;;) {
      const batch = held
      held = []
      for (const page of batch) {
        if (over?.error) throw over.error
        yield page
      }
      if (over?.error) throw over.error
      if (over) return
      hungry.resolve()
      await fed.promise
      fed = Promise.withResolvers()
    }
  }
  const finish = (error: Error | null): void => {
    over ??= { error }
    fed.resolve()
  }
  return {
    pages: take(),
    async add(pages) {
      await hungry.promise
      hungry = Promise.withResolvers()
      held = pages
      fed.resolve()
      await hungry.promise
    },
    end: () => finish(null),
    fail: finish,
  }
}

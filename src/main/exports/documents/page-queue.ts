import type { ExportPage } from './types.ts'

/** Queue between a producer that adds pages in batches and a consumer that reads them one by one. */
export interface PageQueue {
  /** Can be iterated once. */
  readonly pages: AsyncIterable<ExportPage>
  /** Resolves once all of them are consumed and the next is requested. */
  add(pages: readonly ExportPage[]): Promise<void>
  /** Marks the end of the pages. */
  end(): void
  /** Makes the consumer receive this error instead of the next page. */
  fail(error: Error): void
}

/** Creates a queue that buffers only the batch added last. */
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

import type { PdfPage } from './library.ts'

/** Maximum number of letters counted on one page; more add no information. */
const maxLetters = 200_000

/** Reads the text of a page up to a length; null when it was not completely read before `deadline`. */
export async function pageText(
  page: PdfPage,
  clock: () => number,
  deadline: number,
): Promise<string | null> {
  const reader = page.streamTextContent().getReader()
  const fragments: string[] = []
  let letters = 0
  try {
    for (;;) {
      const left = deadline - clock()
      const next = left > 0 ? await within(reader.read(), left) : null
      if (!next) return null
      if (next.done) return fragments.join('')
      const { items } = next.value as { readonly items: readonly { readonly str?: string }[] }
      for (const { str = '' } of items) {
        fragments.push(str)
        letters += str.length
      }
      if (letters > maxLetters) return fragments.join('').slice(0, maxLetters)
    }
  } finally {
    void reader.cancel(new Error('Enough text was read')).catch(() => undefined)
  }
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(late.resolve, ms, null)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

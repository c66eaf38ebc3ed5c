/** Maximum number of cached letters of pages: about 16 MB. */
const heldLetters = 8_000_000

/** The file's own text by page: each is read once, as long as there is room. */
interface PageTexts {
  of(page: number): Promise<string>
  /** Whether no page read so far had any text. */
  readonly bare: boolean
}

/** Creates it for a function that reads a page. */
export function createPageTexts(read: (page: number) => Promise<string>): PageTexts {
  const cachedTexts = new Map<number, string>()
  let letters = 0
  let bare = true
  return {
    async of(page) {
      const known = cachedTexts.get(page)
      if (known !== undefined) return known
      const text = await read(page)
      if (text.trim() !== '') bare = false
      cachedTexts.set(page, text)
      letters += text.length
      for (const [oldest, old] of cachedTexts) {
        if (letters <= heldLetters || oldest === page) break
        cachedTexts.delete(oldest)
        letters -= old.length
      }
      return text
    },
    get bare() {
      return bare
    },
  }
}

/**
 * Maximum UTF-16 units of a window: about 80 tokens of English, well below the 128 that the encoder reads.
 */
const windowUnits = 400

/**
 * Splits a text into windows that fit the encoder, at sentence ends if possible, otherwise between words, otherwise
 * anywhere. `fits` is called for each window; one that does not fit is halved. White space alone yields no window.
 */
export function windowsOf(text: string, fits: (window: string) => boolean): readonly string[] {
  const windows: string[] = []
  let at = 0
  while (at < text.length) {
    const end =
      at + windowUnits >= text.length ? text.length : cutBefore(text, at, at + windowUnits)
    addFitting(text.slice(at, end).trim(), fits, windows)
    at = end
  }
  return windows
}

function addFitting(window: string, fits: (window: string) => boolean, into: string[]): void {
  if (window === '') return
  if (window.length <= 2 || fits(window)) {
    into.push(window)
    return
  }
  const middle = cutBefore(window, 0, Math.ceil(window.length / 2))
  addFitting(window.slice(0, middle).trim(), fits, into)
  addFitting(window.slice(middle).trim(), fits, into)
}

/** Returns the best position to split in the second half of `from` to `limit`. */
function cutBefore(text: string, from: number, limit: number): number {
  const minEnd = from + Math.ceil((limit - from) / 2)
  const part = text.slice(minEnd, limit)
  const sentence = Array.from(part.matchAll(/[.!?]["')\]]*\s|[。！？；\n]/gu)).at(-1)
  if (sentence) return minEnd + sentence.index + sentence[0].length
  const space = Array.from(part.matchAll(/\s/gu)).at(-1)
  if (space) return minEnd + space.index + 1
  const low = text.charCodeAt(limit)
  // Do not split a surrogate pair.
  return low >= 0xdc00 && low <= 0xdfff && limit - 1 > from ? limit - 1 : limit
}

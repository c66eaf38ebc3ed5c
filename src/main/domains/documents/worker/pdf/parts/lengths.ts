/**
 * Maximum number of bytes between the length of a stream and the stream itself: the rest of its dictionary.
 */
const maxRestBytes = 16 * 1024

/** Maximum number of bytes between a stream and its `endstream` keyword. */
const maxBetween = 4

/**
 * Maximum number of lengths that belong to no stream: regular files have few, and each requires a long search.
 */
const maxStray = 2_000

interface Edit {
  readonly at: number
  readonly end: number
  readonly text: string
}

/**
 * Returns the file with the length of each stream written directly in its dictionary. Many programs store it in a
 * separate object; the library then searches for the end byte by byte (minutes for a scan) and mistakes images for text.
 * Wrong lengths are corrected. Bytes are changed in place where there is room. Throws for a file that is full of lengths
 * without streams.
 */
export function withDirectLengths(bytes: Buffer): Buffer {
  const edits: Edit[] = []
  let numbers: ReadonlyMap<string, number> | undefined
  let astray = 0
  for (let at = bytes.indexOf('/Length'); at >= 0; at = bytes.indexOf('/Length', at)) {
    const value = /^\s+(\d+)(\s+\d+\s+R)?(?!\d)/.exec(latin(bytes, at + 7, at + 47))
    at += 7
    if (!value) continue
    const [whole, digits = '', reference] = value
    const from = at + whole.length - whole.trimStart().length
    const start = streamStart(bytes, at + whole.length)
    if (start < 0) {
      astray += 1
      if (astray > maxStray) throw new Error('Too many stream lengths do not belong to a stream')
      continue
    }
    if (reference) numbers ??= numberObjects(bytes)
    const declared = reference ? numbers?.get(keyOf(digits, reference)) : Number(digits)
    const length =
      declared !== undefined && endsAt(bytes, start + declared) ? declared : searched(bytes, start)
    // No stream ends from here on.
    if (length === null) break
    if (reference || length !== declared)
      edits.push({ at: from, end: at + whole.length, text: String(length) })
    at = start + length
  }
  return edited(bytes, edits)
}

const latin = (bytes: Buffer, from: number, to: number): string =>
  bytes.toString('latin1', from, to)

const keyOf = (number: string, reference: string): string =>
  `${number} ${reference.trim().split(/\s+/)[0] ?? ''}`

/**
 * Returns the start of the data of the stream whose dictionary ends after `at`; -1 when it belongs to no stream.
 */
function streamStart(bytes: Buffer, at: number): number {
  for (const window of [256, maxRestBytes]) {
    const rest = latin(bytes, at, at + window)
    const word = /^((?!endobj)[^])*?>>\s*stream(\r\n|\n|\r(?!$))/.exec(rest)
    if (word) return at + word[0].length
  }
  return -1
}

function endsAt(bytes: Buffer, at: number): boolean {
  return /^\s*endstream/.test(latin(bytes, at, at + maxBetween + 9))
}

/** Returns the length up to the next `endstream` keyword; null when there is none. */
function searched(bytes: Buffer, start: number): number | null {
  const end = bytes.indexOf('endstream', start)
  if (end < 0) return null
  const tail = /(\r\n|\n|\r)?$/.exec(latin(bytes, Math.max(start, end - 2), end))
  return end - start - (tail?.[0].length ?? 0)
}

/** Finds objects that are a single number, by number and generation; the last definition of each counts. */
function numberObjects(bytes: Buffer): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (let at = bytes.indexOf(' obj'); at >= 0; at = bytes.indexOf(' obj', at + 4)) {
    const value = /^\s*(\d+)\s*endobj/.exec(latin(bytes, at + 4, at + 40))
    const name = value && /(\d+)\s+(\d+)$/.exec(latin(bytes, Math.max(0, at - 24), at))
    if (name) found.set(`${name[1]} ${name[2]}`, Number(value[1]))
  }
  return found
}

function edited(bytes: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.every(({ at, end, text }) => text.length <= end - at)) {
    for (const { at, end, text } of edits) bytes.write(text.padEnd(end - at), at, 'latin1')
    return bytes
  }
  const chunks: Buffer[] = []
  let done = 0
  for (const { at, end, text } of edits) {
    chunks.push(bytes.subarray(done, at), Buffer.from(text, 'latin1'))
    done = end
  }
  chunks.push(bytes.subarray(done))
  return Buffer.concat(chunks)
}

import { damagedTiff } from './directory.ts'
import { modeTable, passMode, runsMode, runTables, type CodeTable } from './fax-codes.ts'

/**
 * Fax encodings: each line separately in whole bytes (`lines`), as sent over a telephone (`group3`), or relative to the
 * line above (`group4`).
 */
export type FaxPacking = 'lines' | 'group3' | 'group4'

/**
 * Unpacks a segment of a fax (ITU-T T.4 and T.6) to rows of bits, 1 is black. Throws DAMAGED_FILE unless exactly all
 * rows are there.
 */
export function unpackFax(
  data: Uint8Array,
  width: number,
  rows: number,
  packing: FaxPacking,
  twoDimensional: boolean,
): Uint8Array {
  const bits = bitReader(data)
  const codes = { runs: runTables(), modes: modeTable() }
  const rowBytes = Math.ceil(width / 8)
  const out = new Uint8Array(rowBytes * rows)
  let above: readonly number[] = []
  for (let row = 0; row < rows; row++) {
    let follows = packing === 'group4'
    if (packing === 'lines') bits.align()
    if (packing === 'group3' && skipLineEnd(bits) && twoDimensional) follows = bits.take(1) === 0
    const changes = follows
      ? lineByAbove(bits, codes, width, above)
      : lineOfRuns(bits, codes.runs, width)
    paint(out.subarray(row * rowBytes, (row + 1) * rowBytes), changes, width)
    above = withoutNothing(changes)
  }
  return out
}

interface BitReader {
  /** Returns the next bits without advancing; zeros after the end. */
  peek(count: number): number
  skip(count: number): void
  take(count: number): number
  align(): void
  over(): boolean
}

function bitReader(data: Uint8Array): BitReader {
  let at = 0
  const end = data.length * 8
  const peek = (count: number): number => {
    const byte = at >> 3
    const word = ((data[byte] ?? 0) << 16) | ((data[byte + 1] ?? 0) << 8) | (data[byte + 2] ?? 0)
    return (word >> (24 - (at & 7) - count)) & ((1 << count) - 1)
  }
  const skip = (count: number): void => {
    at += count
    if (at > end) throw damagedTiff('a strip is truncated')
  }
  return {
    peek,
    skip,
    take(count) {
      const value = peek(count)
      skip(count)
      return value
    },
    align() {
      at = (at + 7) & ~7
    },
    over: () => at >= end,
  }
}

/**
 * Skips what may be between two lines: zero padding, and an end-of-line code (eleven zeros and a one). Returns true for
 * the latter.
 */
function skipLineEnd(bits: BitReader): boolean {
  if (bits.peek(11) !== 0) return false
  while (bits.peek(1) === 0) {
    if (bits.over()) throw damagedTiff('a strip is truncated')
    bits.skip(1)
  }
  bits.skip(1)
  return true
}

function coded(bits: BitReader, { bits: maxBits, lengths, values }: CodeTable): number {
  const index = bits.peek(maxBits)
  const length = lengths[index] ?? 0
  if (length === 0) throw damagedTiff('a strip contains an invalid code')
  bits.skip(length)
  return values[index] ?? 0
}

function runOf(bits: BitReader, table: CodeTable): number {
  let run = 0
  for (;;) {
    const part = coded(bits, table)
    run += part
    if (part < 64) return run
  }
}

type RunTables = readonly [white: CodeTable, black: CodeTable]

/** Returns the positions of color changes in a line that begins white and is coded on its own. */
function lineOfRuns(bits: BitReader, runs: RunTables, width: number): readonly number[] {
  const changes: number[] = []
  let at = 0
  for (let colour: 0 | 1 = 0; at < width; colour = colour === 0 ? 1 : 0) {
    at += runOf(bits, runs[colour])
    if (at > width) throw damagedTiff('a row is too long')
    changes.push(at)
  }
  return changes
}

/** Does the same for a line that is coded relative to the one above. */
function lineByAbove(
  bits: BitReader,
  codes: { readonly runs: RunTables; readonly modes: CodeTable },
  width: number,
  above: readonly number[],
): readonly number[] {
  const changes: number[] = []
  let at = -1
  let colour: 0 | 1 = 0
  let next = 0
  while (at < width) {
    // The first change in the line above to the right of here, to the opposite color.
    while (next > 0 && (above[next - 1] ?? width) > at) next -= 1
    while ((above[next] ?? width) <= at && (above[next] ?? width) < width) next += 1
    if (next % 2 !== colour) next += 1
    const change = above[next] ?? width
    const mode = coded(bits, codes.modes)
    if (mode === passMode) {
      at = above[next + 1] ?? width
    } else if (mode === runsMode) {
      const other = colour === 0 ? 1 : 0
      const first = Math.max(at, 0) + runOf(bits, codes.runs[colour])
      const second = first + runOf(bits, codes.runs[other])
      if (second > width) throw damagedTiff('a row is too long')
      changes.push(first, second)
      at = second
    } else {
      const place = change + mode
      if (place < Math.max(at, 0) || place > width)
        throw damagedTiff('a row contains an invalid position')
      changes.push(place)
      at = place
      colour = colour === 0 ? 1 : 0
    }
  }
  return changes
}

/** Removes runs of length zero, which are no color changes: the coding of the next line ignores them. */
function withoutNothing(changes: readonly number[]): readonly number[] {
  const remaining: number[] = []
  for (const change of changes) {
    if (remaining.at(-1) === change) remaining.pop()
    else remaining.push(change)
  }
  return remaining
}

function paint(row: Uint8Array, changes: readonly number[], width: number): void {
  for (let i = 0; i < changes.length; i += 2) {
    const start = changes[i] ?? width
    const end = changes[i + 1] ?? width
    for (let x = start; x < end; x++) {
      if ((x & 7) === 0 && x + 8 <= end) {
        row[x >> 3] = 0xff
        x += 7
      } else row[x >> 3] = (row[x >> 3] ?? 0) | (0x80 >> (x & 7))
    }
  }
}

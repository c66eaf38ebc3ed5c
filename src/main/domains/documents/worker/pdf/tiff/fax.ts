import { damagedTiff } from './directory.ts'

/**
 * Fax encodings: each line separately in whole bytes (`lines`), as sent over a telephone (`group3`), or relative to the
 * line above (`group4`).
 */
type FaxPacking = 'lines' | 'group3' | 'group4'

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

// Run lengths of T.4 (tables 2, 3a and 3b) and modes of T.6 (table 1), each list in the order of its values.

const white =
  '00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 101010 101011 0100111 ' +
  '0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010 00000011 00011010 00011011 ' +
  '00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 00101101 00000100 ' +
  '00000101 00001010 00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 01011001 01011010 01011011 ' +
  '01001010 01001011 00110010 00110011 00110100'

const whiteMore =
  '11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101 011010010 011010011 ' +
  '011010100 011010101 011010110 011010111 011011000 011011001 011011010 011011011 010011000 010011001 010011010 011000 ' +
  '010011011'

const black =
  '0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 000011000 0000010111 ' +
  '0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111 00000011000 000011001010 ' +
  '000011001011 000011001100 000011001101 000001101000 000001101001 000001101010 000001101011 000011010010 000011010011 ' +
  '000011010100 000011010101 000011010110 000011010111 000001101100 000001101101 000011011010 000011011011 000001010100 ' +
  '000001010101 000001010110 000001010111 000001100100 000001100101 000001010010 000001010011 000000100100 000000110111 ' +
  '000000111000 000000100111 000000101000 000001011000 000001011001 000000101011 000000101100 000001011010 000001100110 ' +
  '000001100111'

const blackMore =
  '0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 0000001101101 ' +
  '0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 0000001110100 0000001110101 ' +
  '0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 0000001011011 ' +
  '0000001100100 0000001100101'

const bothMore =
  '00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 000000010111 ' +
  '000000011100 000000011101 000000011110 000000011111'

/**
 * A line is coded relative to the one above: by the offset of a change there (-3 to 3), or by this mode, which skips a
 * run above.
 */
const passMode = 10

/** Mode for two runs that are independent of the line above. */
const runsMode = 11

const modes = '0000010 000010 010 1 011 000011 0000011 0001 001'
const modeValues = [-3, -2, -1, 0, 1, 2, 3, passMode, runsMode]

/**
 * Codes by their first bits: `lengths` contains the bits of the code at an index of `bits` bits, 0 where there is none.
 */
interface CodeTable {
  readonly bits: number
  readonly lengths: Uint8Array
  readonly values: Int16Array
}

function tableOf(bits: number, lists: readonly (readonly [string, (i: number) => number])[]) {
  const table: CodeTable = {
    bits,
    lengths: new Uint8Array(1 << bits),
    values: new Int16Array(1 << bits),
  }
  for (const [codes, valueOf] of lists)
    for (const [i, code] of codes.split(' ').entries()) {
      const first = Number.parseInt(code, 2) << (bits - code.length)
      const end = first + (1 << (bits - code.length))
      table.lengths.fill(code.length, first, end)
      table.values.fill(valueOf(i), first, end)
    }
  return table
}

const own = (i: number): number => i
const more = (i: number): number => 64 * (i + 1)
const extended = (i: number): number => 1792 + 64 * i

/** Returns the codes of white and black runs; runs of 64 and more are followed by another one. */
const runTables = (): readonly [white: CodeTable, black: CodeTable] => [
  tableOf(12, [
    [white, own],
    [whiteMore, more],
    [bothMore, extended],
  ]),
  tableOf(13, [
    [black, own],
    [blackMore, more],
    [bothMore, extended],
  ]),
]

/** Returns the codes of the modes by which a line relates to the one above. */
const modeTable = (): CodeTable => tableOf(7, [[modes, (i) => modeValues[i] ?? 0]])

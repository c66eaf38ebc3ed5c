/**
 * WebAssembly module of one function, assembled here: for each output sample it multiplies a range of the input by one row of a
 * table and sums the products, four at a time (SIMD), which plain JavaScript cannot do. Its memory is the importer's.
 */

/** Number of floats multiplied between two checks for the end of a row. */
export const rowFloats = 16

/** Applies rows of filters to an input. Addresses are in bytes; a row is a multiple of {@link rowFloats} 32-bit floats. */
export type FilterRun = (
  /** First sample below the row of the first output. */
  input: number,
  output: number,
  /** Number of output samples; at least one. */
  count: number,
  table: number,
  rowBytes: number,
  /** Row of the first output. */
  row: number,
  rows: number,
  /** Step between outputs: input samples, in bytes, and rows; past the last row it is one more sample. */
  stepBytes: number,
  stepRows: number,
) => void

/** Parameters of the function, followed by its local variables. */
const [input, output, count, table, rowBytes, row, rows, stepBytes, stepRows] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
] as const
const [at, weight, rowEnd, even, odd] = [9, 10, 11, 12, 13] as const

const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
/** Encodes a signed LEB128 of two bytes: up to 8,191. */
const constant = (value: number): number[] => [0x41, (value & 0x7f) | 0x80, value >> 7]
const add = [0x6a]
const subtract = [0x6b]
const multiply = [0x6c]
const isBelow = [0x49]
const notBelow = [0x4f]
const loop = [0x03, 0x40]
const when = [0x04, 0x40]
const end = [0x0b]
const again = [0x0d, 0x00]
const storeFloat = [0x38, 0x02, 0x00]
const addFloat = [0x92]
const noVector = [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)]
const loadVector = (offset: number): number[] => [0xfd, 0x00, 0x02, offset]
const multiplyVectors = [0xfd, 0xe6, 0x01]
const addVectors = [0xfd, 0xe4, 0x01]
const extractLane = (number: number): number[] => [0xfd, 0x1f, number]

const advance = (local: number, by: readonly number[]): number[] => [
  ...get(local),
  ...by,
  ...add,
  ...set(local),
]

/** sum += input * weight, for four of them. */
const accumulate = (sum: number, offset: number): number[] => [
  ...get(sum),
  ...get(at),
  ...loadVector(offset),
  ...get(weight),
  ...loadVector(offset),
  ...multiplyVectors,
  ...addVectors,
  ...set(sum),
]

const code = [
  ...loop,
  ...get(input),
  ...set(at),
  ...get(table),
  ...get(row),
  ...get(rowBytes),
  ...multiply,
  ...add,
  ...set(weight),
  ...get(weight),
  ...get(rowBytes),
  ...add,
  ...set(rowEnd),
  ...noVector,
  ...set(even),
  ...noVector,
  ...set(odd),
  ...loop,
  ...accumulate(even, 0),
  ...accumulate(odd, 16),
  ...accumulate(even, 32),
  ...accumulate(odd, 48),
  ...advance(at, constant(rowFloats * 4)),
  ...advance(weight, constant(rowFloats * 4)),
  ...get(weight),
  ...get(rowEnd),
  ...isBelow,
  ...again,
  ...end,
  ...get(even),
  ...get(odd),
  ...addVectors,
  ...set(even),
  ...get(output),
  ...[0, 1, 2, 3].flatMap((number) => [...get(even), ...extractLane(number)]),
  ...addFloat,
  ...addFloat,
  ...addFloat,
  ...storeFloat,
  ...advance(output, constant(4)),
  ...advance(input, get(stepBytes)),
  ...advance(row, get(stepRows)),
  ...get(row),
  ...get(rows),
  ...notBelow,
  ...when,
  ...get(row),
  ...get(rows),
  ...subtract,
  ...set(row),
  ...advance(input, constant(4)),
  ...end,
  ...get(count),
  ...constant(1),
  ...subtract,
  ...set(count),
  ...get(count),
  ...again,
  ...end,
]

const i32 = 0x7f
const v128 = 0x7b

/** Encodes an unsigned LEB128. */
const size = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...size(value >> 7)]
const sized = (bytes: readonly number[]): number[] => [...size(bytes.length), ...bytes]
const section = (id: number, bytes: readonly number[]): number[] => [id, ...sized(bytes)]
const text = (letters: string): number[] => sized(Array.from(new TextEncoder().encode(letters)))

const bytes = Uint8Array.from([
  // Magic number and version.
  0x00,
  0x61,
  0x73,
  0x6d,
  1,
  0,
  0,
  0,
  // One type: nine numbers, no result.
  ...section(1, [1, 0x60, ...sized(Array.from({ length: 9 }, () => i32)), 0]),
  // One import: a memory of at least one page.
  ...section(2, [1, ...text('host'), ...text('memory'), 0x02, 0x00, 1]),
  // One function of that type, exported by name.
  ...section(3, [1, 0]),
  ...section(7, [1, ...text('run'), 0x00, 0]),
  // Its body: three numbers and two vectors as local variables, then the code.
  ...section(10, [1, ...sized([2, 3, i32, 2, v128, ...code, ...end])]),
])

/** Memory of a module; it only grows and then has a new buffer. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** Used part of WebAssembly, whose types only ship with those of browsers. */
interface Wasm {
  readonly Memory: new (pages: { readonly initial: number }) => WasmMemory
  instantiate(
    bytes: Uint8Array,
    imports: { readonly host: { readonly memory: WasmMemory } },
  ): Promise<{ readonly instance: { readonly exports: { readonly run: FilterRun } } }>
}

export async function loadFilterRun(): Promise<{
  readonly run: FilterRun
  readonly memory: WasmMemory
}> {
  const found: unknown = Reflect.get(globalThis, 'WebAssembly')
  const { Memory, instantiate } = found as Wasm
  const memory = new Memory({ initial: 1 })
  const { instance } = await instantiate(bytes, { host: { memory } })
  return { run: instance.exports.run, memory }
}

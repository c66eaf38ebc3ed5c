import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { npyHead } from '../../../../../src/main/platform/export-files/vectors/npy.ts'
import { textsIn } from '../../../../../src/main/platform/export-files/vectors/texts.ts'
import {
  writeVectors,
  type VectorFormat,
} from '../../../../../src/main/platform/export-files/vectors/write.ts'
import { removal } from '../../../../../src/system/file-moves.ts'
import { codeOf } from '../../../platform/database/fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-vectors-'))
afterAll(() => rm(folder, removal))

const vectors = [
  [0.1, -2.5, 1e-8],
  [Number.NaN, Number.NaN, Number.NaN],
  [3, 4, -0],
]
const texts = ['one, "two"', 'without', '=1+1\nlines']
const from = join(folder, 'vectors.f32')
const textFile = join(folder, 'texts.jsonl')
writeFileSync(from, Buffer.from(Float32Array.from(vectors.flat()).buffer))
writeFileSync(textFile, texts.map((text) => `${JSON.stringify({ text })}\n`).join(''))

let serial = 0
async function written(format: VectorFormat): Promise<Buffer> {
  const to = join(folder, `out-${(serial += 1)}.${format}`)
  const size = await writeVectors({
    vectors: format,
    from,
    count: 3,
    texts: textFile,
    model: 'embedding-3',
    dimensions: 3,
    to,
  })
  const bytes = readFileSync(to)
  expect(size).toBe(bytes.length)
  return bytes
}

/** Reads a NumPy file by its format specification (NEP 1), independently of the writer. */
function readNpy(file: Buffer): {
  readonly shape: readonly number[]
  readonly numbers: Float32Array
} {
  expect([...file.subarray(0, 8)]).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0])
  const [low = 0, high = 0] = file.subarray(8, 10)
  const length = low + high * 256
  expect((10 + length) % 64).toBe(0)
  const head = file.subarray(10, 10 + length).toString('latin1')
  expect(head.endsWith('\n')).toBe(true)
  expect(head).toMatch(/'descr': '<f4'/)
  expect(head).toMatch(/'fortran_order': False/)
  const shape = /'shape': \((\d+), (\d+)\)/.exec(head)?.slice(1).map(Number) ?? []
  const data = file.subarray(10 + length)
  const numbers = new Float32Array(data.length / 4)
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  for (let at = 0; at < numbers.length; at++) numbers[at] = view.getFloat32(at * 4, true)
  return { shape, numbers }
}

test('npy: shape, order and numbers are read back by the specification, missing vectors as NaN', async () => {
  const { shape, numbers } = readNpy(await written('npy'))
  expect(shape).toEqual([3, 3])
  expect(numbers).toEqual(Float32Array.from(vectors.flat()))
})

test('npy: the header is a multiple of 64 bytes for any shape', () => {
  for (const [rows, columns] of [
    [0, 1],
    [1, 2048],
    [123_456_789, 256],
  ] as const) {
    const head = npyHead(rows, columns)
    expect(head.length % 64).toBe(0)
    expect(Buffer.from(head).toString('latin1')).toContain(`'shape': (${rows}, ${columns})`)
  }
})

/** Output of NumPy itself, if this computer has it. */
function numpySays(path: string): string | null {
  const program =
    'import sys,numpy;a=numpy.load(sys.argv[1]);print(a.dtype.str,a.shape,a.flags["C_CONTIGUOUS"],float(a[2][1]),bool(numpy.isnan(a[1]).all()))'
  try {
    return execFileSync('python3', ['-c', program, path], { stdio: 'pipe' }).toString().trim()
  } catch {
    return null
  }
}

test('npy: NumPy reads it, if available', async () => {
  const path = join(folder, 'numpy.npy')
  writeFileSync(path, await written('npy'))
  // Null: this computer has no NumPy; the reader above has checked the same file.
  expect(['<f4 (3, 3) True 4.0 True', null]).toContain(numpySays(path))
})

test('csv: texts stay texts, numbers are exact, a missing vector has none', async () => {
  const text = (await written('csv')).toString('utf8')
  const [head, first, second, ...third] = text.split('\r\n')
  expect(head).toBe('\uFEFFindex,text,v0,v1,v2')
  expect(first).toMatch(/^0,"one, ""two""",/)
  const numbers = first?.split(',').slice(-3).map(Number) ?? []
  expect(Float32Array.from(numbers)).toEqual(Float32Array.from(vectors[0] ?? []))
  expect(second).toBe('1,without,,,')
  expect(third[0]).toMatch(/^2,"'=1\+1\nlines",3,4,/)
})

test('jsonl: one object per line, exact to the last bit', async () => {
  const lines = (await written('jsonl')).toString('utf8').trim().split('\n')
  const rows = lines.map(
    (line) => JSON.parse(line) as { index: number; text: string; embedding: number[] | null },
  )
  expect(rows.map(({ index, text }) => [index, text])).toEqual(texts.map((text, at) => [at, text]))
  expect(rows[1]?.embedding).toBeNull()
  expect(Float32Array.from(rows[0]?.embedding ?? [])).toEqual(Float32Array.from(vectors[0] ?? []))
})

test('exports numbers that 32-bit floats cannot represent as in the response', async () => {
  const exact = [
    [0.266207, -2.5, 1e-8],
    [Number.NaN, Number.NaN, Number.NaN],
    [-0.02675454691052437, 0.1234567890123456, 3],
  ]
  const both = join(folder, 'exact.f32')
  writeFileSync(
    both,
    Buffer.concat([
      Buffer.from(Float32Array.from(exact.flat()).buffer),
      Buffer.from(Float64Array.from(exact.flat()).buffer),
    ]),
  )
  const to = (format: VectorFormat): string => join(folder, `exact.${format}`)
  for (const format of ['jsonl', 'csv', 'npy'] as const) {
    const about = { texts: textFile, model: 'm', dimensions: 3, count: 3 }
    await writeVectors({ ...about, vectors: format, from: both, to: to(format) })
  }
  const lines = readFileSync(to('jsonl'), 'utf8').trim().split('\n')
  expect(lines[0]).toContain('"embedding":[0.266207,-2.5,1e-8]')
  expect(lines[1]).toContain('"embedding":null')
  expect(lines[2]).toContain('"embedding":[-0.02675454691052437,0.1234567890123456,3]')
  expect(readFileSync(to('csv'), 'utf8')).toContain(',0.266207,-2.5,1e-8\r\n')
  const npy = readFileSync(to('npy'))
  expect(npy.toString('latin1', 0, 128)).toMatch(/'descr': '<f8'.*'shape': \(3, 3\)/)
  expect(npy.readDoubleLE(npy.length - 72)).toBe(0.266207)
})

test('refuses files that do not belong together', async () => {
  const request = { from, count: 3, texts: textFile, model: 'm', to: join(folder, 'never') }
  expect(await codeOf(() => writeVectors({ ...request, vectors: 'npy', dimensions: 5 }))).toBe(
    'DAMAGED_FILE',
  )
  const short = join(folder, 'short.f32')
  writeFileSync(short, Buffer.alloc(12))
  const less = { ...request, from: short, to: join(folder, 'never2'), dimensions: 3 }
  expect(await codeOf(() => writeVectors({ ...less, vectors: 'jsonl' }))).toBe('DAMAGED_FILE')
})

test('splits JSON lines only at line feeds, and refuses an endless line early', async () => {
  const path = join(folder, 'lines.jsonl')
  const read = async (content: string): Promise<string[]> => {
    writeFileSync(path, content)
    const found: string[] = []
    for await (const { text } of textsIn(path)) found.push(text)
    return found
  }
  const odd = ['one\u2028two', 'three\u2029four', 'five\u0085six']
  expect(
    await read(
      odd
        .map((text) => `${JSON.stringify({ text })}\r\n\n`)
        .join('')
        .trimEnd(),
    ),
  ).toEqual(odd)
  expect(await codeOf(() => read(JSON.stringify({ text: 'x'.repeat(5_000_000) })))).toBe(
    'DAMAGED_FILE',
  )
})

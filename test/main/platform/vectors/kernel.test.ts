import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import wabt from 'wabt'
import { createKernel } from '../../../../src/main/platform/vectors/kernel.ts'

const folder = new URL('../../../../src/main/platform/vectors/', import.meta.url)

test('compiles kernel.wat to the module in kernel.ts', async () => {
  const assembler = await wabt()
  const module = assembler.parseWat(
    'kernel.wat',
    readFileSync(new URL('kernel.wat', folder), 'utf8'),
    {
      simd: true,
    },
  )
  const { buffer } = module.toBinary({})
  const [, text = ''] =
    /const assembled =([^]*?)\n\n/.exec(readFileSync(new URL('kernel.ts', folder), 'utf8')) ?? []
  const held = Array.from(text.matchAll(/'([^']+)'/g), ([, quoted]) => quoted).join('')
  expect(held).toBe(Buffer.from(buffer).toString('base64'))
})

test('computes dot products like plain arithmetic, also at the ends of the range', () => {
  const { memory, dots } = createKernel(200_000)
  const bytes = 2048
  const codes = [0, 1, 2].map((n) =>
    Int8Array.from({ length: bytes }, (_, at) => (n === 0 ? -127 : ((at * (n + 6)) % 255) - 127)),
  )
  const query = Int16Array.from({ length: bytes }, (_, at) => (at % 2 === 0 ? 127 : -127))
  const plain = (code: Int8Array): number =>
    code.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0)
  new Int16Array(memory.buffer, 0, bytes).set(query)
  for (const [n, code] of codes.entries())
    new Int8Array(memory.buffer, 8192 + n * bytes, bytes).set(code)
  dots(8192, codes.length, bytes, 0, 4096)
  expect([...new Int32Array(memory.buffer, 4096, 3)]).toEqual(codes.map(plain))
  dots(8192, 0, bytes, 0, 4096)
  expect(new Int32Array(memory.buffer, 4096, 1)[0]).toBe(plain(codes[0] ?? new Int8Array()))
})

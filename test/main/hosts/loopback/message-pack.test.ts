import { decode, encode } from '@msgpack/msgpack'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWellFormedPack } from '../../../../src/main/hosts/loopback/message-pack.ts'

test('accepts everything serialized from plain values, and rejects truncated or longer data', () => {
  const values = fc.anything({ maxDepth: 5, withBigInt: false, withDate: false })
  fc.assert(
    fc.property(values, (value) => {
      const bytes = encode(JSON.parse(JSON.stringify(value) ?? 'null'))
      expect(isWellFormedPack(bytes)).toBe(true)
      expect(isWellFormedPack(bytes.subarray(0, -1))).toBe(false)
      expect(isWellFormedPack(Buffer.concat([bytes, bytes]))).toBe(false)
    }),
  )
})

const wide = [2 ** 32, -(2 ** 31) - 1, 0.5]
const numbers = [0, -1, 127, 128, -33, -129, 255, 256, 65_535, 65_536, -32_769, ...wide]

test('measures every width of number, text, list and map correctly', () => {
  const text = (length: number): string => 'x'.repeat(length)
  for (const value of [
    ...numbers,
    ...[0, 31, 32, 255, 256, 65_535, 65_536].map(text),
    ...[0, 15, 16, 65_535, 65_536].map((length) => Array.from({ length }, () => 0)),
    ...[0, 15, 16, 65_536].map((length) =>
      Object.fromEntries(Array.from({ length }, (_, at) => [String(at), null])),
    ),
    [true, false, null],
    new Uint8Array(300),
  ])
    expect(isWellFormedPack(encode(value))).toBe(true)
  expect(isWellFormedPack(encode(1.5, { forceFloat32: true }))).toBe(true)
})

test('decodes accepted bytes within their estimated size, or the decoder refuses them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (bytes) => {
      if (!isWellFormedPack(bytes)) return
      let entries = 0
      const count = (value: unknown): void => {
        entries++
        if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
          for (const inner of Object.values(value)) count(inner)
      }
      try {
        count(decode(bytes))
      } catch {
        return
      }
      expect(entries).toBeLessThanOrEqual(bytes.length)
    }),
    { numRuns: 5000 },
  )
})

test('refuses deep nesting at the 33rd level', () => {
  const levels = (count: number): Uint8Array =>
    new Uint8Array([...Array.from({ length: count - 1 }, () => 0x91), 0x91, 0xc0])
  expect(isWellFormedPack(levels(32))).toBe(true)
  expect(isWellFormedPack(levels(33))).toBe(false)
  expect(isWellFormedPack(new Uint8Array())).toBe(false)
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import {
  bytesOfVector,
  exactBytes,
  exactVector,
  vectorOfBytes,
} from '../../../../../src/main/platform/vectors/bytes.ts'
import { storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'

const place = temporaryHome()
let store: Store
beforeEach(async () => void (store = await openStore(storeOptions(place.home))))
afterEach(async () => {
  await store.close()
  place.remove()
})

const hash = (n: number): Uint8Array => new Uint8Array(32).fill(n)
const of = { space: 'https://a.example', model: 'embedding-3', dimensions: 3 }
const entry = (n: number) => ({ hash: hash(n), vector: Float64Array.of(n, 0.1, -n) })

test('returns vectors bit for bit in the requested order, and reports missing ones', () => {
  store.vectors.put(of, [entry(1), entry(2)])
  expect(store.vectors.get(of, [hash(2), hash(9), hash(1)])).toEqual([
    Float64Array.of(2, 0.1, -2),
    undefined,
    Float64Array.of(1, 0.1, -1),
  ])
  expect(store.vectors.has(of, [hash(9), hash(1)])).toEqual([false, true])
})

test('shares nothing between providers, models and dimensions', () => {
  store.vectors.put(of, [entry(1)])
  for (const other of [
    { ...of, space: 'https://b.example' },
    { ...of, model: 'embedding-2' },
    { ...of, dimensions: 4 },
  ])
    expect(store.vectors.has(other, [hash(1)])).toEqual([false])
})

test('saves a text once, and updates the sizes of spaces', async () => {
  const other = { ...of, space: 'https://b.example' }
  store.vectors.put(of, [entry(1), entry(2), entry(3)])
  store.vectors.put(of, [{ hash: hash(1), vector: Float64Array.of(9, 9, 9) }, entry(4)])
  store.vectors.put(other, [entry(1)])
  expect(store.vectors.get(of, [hash(1)])).toEqual([entry(1).vector])
  expect(store.vectors.sizes()).toEqual([
    { ...of, vectors: 4, bytes: 48 },
    { ...other, vectors: 1, bytes: 12 },
  ])
  expect(store.vectors.forget(of, 3)).toBe(3)
  expect(store.vectors.forget(of, 3)).toBe(1)
  expect(store.vectors.forget(of)).toBe(0)
  expect(store.vectors.sizes()).toEqual([{ ...other, vectors: 1, bytes: 12 }])
  await store.close()
  store = await openStore(storeOptions(place.home))
  expect(store.vectors.get(other, [hash(1)])).toEqual([entry(1).vector])
  store.erase()
  expect(store.vectors.sizes()).toEqual([])
})

test('treats a vector of a wrong length, as damage leaves it, as missing and replaces it', () => {
  store.vectors.put(of, [{ hash: hash(1), vector: Float64Array.of(1) }])
  expect(store.vectors.get(of, [hash(1)])).toEqual([undefined])
  store.vectors.put(of, [entry(1)])
  expect(store.vectors.get(of, [hash(1)])).toEqual([entry(1).vector])
})

test('stores little-endian floats, at any offset of a buffer', () => {
  const bytes = bytesOfVector(Float32Array.of(1, -2))
  expect([...bytes]).toEqual([0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0])
  const shifted = Buffer.concat([Buffer.of(7), bytes]).subarray(1)
  expect(vectorOfBytes(shifted)).toEqual(Float32Array.of(1, -2))
})

test('stores 32 bits per number if they suffice, otherwise 64, and returns exact values', () => {
  const single = Float64Array.of(0.5, -0.02675454691052437, 3)
  const short = Float64Array.of(0.266207, 1, 2)
  expect(exactBytes(single)).toHaveLength(12)
  expect(exactBytes(short)).toHaveLength(24)
  for (const vector of [single, short]) expect(exactVector(exactBytes(vector), 3)).toEqual(vector)
  expect(exactVector(exactBytes(short), 4)).toBeUndefined()
})

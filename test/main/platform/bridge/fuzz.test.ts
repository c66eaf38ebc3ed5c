import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes, type RouteName } from '../../../../src/shared/contract/routes.ts'
import { errorCodes, type Reply } from '../../../../src/shared/contract/reply.ts'
import { memoryKeychain, testApp, type TestApp } from '../../../fixtures/app.ts'

const canary = 'canary9f8e7d6c5b4a39281706f5e4.d3c2b1a0canary'
const names = Object.keys(routes) as RouteName[]
let lectern: TestApp

beforeAll(async () => {
  lectern = await testApp({ keychain: memoryKeychain() })
  const account = await lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Fuzzed',
    baseUrl: 'http://127.0.0.1:9',
  })
  await lectern.call('accounts.setKey', { id: account.id, key: canary })
})
afterAll(() => lectern.remove())

/** Returns true only for `{ok:true,data}` and for `{ok:false,error}` with a known code. */
function isEnvelope(reply: Reply<unknown>): boolean {
  if (reply.ok) return Object.keys(reply).join() === 'ok,data'
  return Object.keys(reply).join() === 'ok,error' && errorCodes.includes(reply.error.code)
}

/** Objects with keys that access the prototype, created as own properties, as a decoder would. */
const hostileKeys = fc
  .constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'id', 'ids', 'query', 'key')
  .chain((key) =>
    fc.anything({ maxDepth: 3 }).map((value) => {
      const made: Record<string, unknown> = {}
      Object.defineProperty(made, key, { value, enumerable: true, configurable: true })
      return made
    }),
  )
const huge = fc.constantFrom<unknown>(
  'x'.repeat(2_000_000),
  { id: 'x'.repeat(1_000_000) },
  { query: '"'.repeat(500), limit: 100 },
  { query: 'a*('.repeat(160), limit: 30 },
  { ids: Array.from({ length: 10_000 }, (_, i) => String(i)) },
  Array.from({ length: 100_000 }, () => 0),
)
const junk = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.anything({
      maxDepth: 4,
      withBigInt: true,
      withDate: true,
      withMap: true,
      withTypedArray: true,
    }),
  },
  { weight: 3, arbitrary: hostileKeys },
  { weight: 1, arbitrary: huge },
)

test.each(names)('%s returns an envelope for junk, huge and prototype-key inputs', async (name) => {
  await fc.assert(
    fc.asyncProperty(junk, async (payload) => {
      const reply = await lectern.raw(name, payload)
      expect(isEnvelope(reply)).toBe(true)
      expect(
        JSON.stringify(reply, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)),
      ).not.toContain(canary)
      if (!reply.ok) expect(reply.error.message).not.toMatch(/at .*\.ts|node_modules|\/src\//)
    }),
    { seed: 7, numRuns: 40 },
  )
})

test('never throws for invalid route names', async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (route) => {
      const reply = await lectern.raw(route as string, {})
      expect(isEnvelope(reply)).toBe(true)
    }),
    { seed: 7, numRuns: 200 },
  )
})

test('pollutes no prototype with any of these inputs, and still replies', async () => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect((await lectern.call('accounts.list', {})).length).toBeGreaterThan(0)
})

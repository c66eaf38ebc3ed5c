import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createRouter, type Handlers } from '../../../../src/main/platform/bridge/router.ts'
import type { Log } from '../../../../src/main/deps.ts'
import { AppError } from '../../../../src/main/errors.ts'
import { lazyRoutes, route } from '../../../../src/shared/contract/contract.ts'
import { routes, type RouteName } from '../../../../src/shared/contract/routes.ts'

const warned: string[] = []
const log: Log = {
  info() {},
  warn: (...args) => void warned.push(JSON.stringify(args)),
  error() {},
}
const page = { id: 'page-1', push() {} }
const canary = 'canary-key.0123456789'

/** Creates a router whose handlers return their own names, except the given ones. */
function router(overrides: Partial<Record<RouteName, () => unknown>>) {
  const names = Object.keys(routes) as RouteName[]
  const handlers = Object.fromEntries(names.map((name) => [name, overrides[name] ?? (() => name)]))
  return createRouter({
    handlers: handlers as unknown as Handlers,
    log,
    clock: () => 42,
    redact: (text) => text.replaceAll(canary, '***'),
  })
}

test('returns a reply in an envelope', async () => {
  expect(await router({})(page, 'app.info', {})).toEqual({ ok: true, data: 'app.info' })
})

test.each(['nope', '', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'app'])(
  'rejects the unknown route %j',
  async (name) => {
    const reply = await router({})(page, name, {})
    expect(reply).toMatchObject({ ok: false, error: { code: 'ROUTE_NOT_FOUND', at: 42 } })
  },
)

test('rejects an extra field without repeating it', async () => {
  const reply = await router({})(page, 'library.summary', { id: 'x', [canary]: canary })
  expect(reply).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST' } })
  expect(JSON.stringify(reply)).not.toContain(canary)
})

test('reports and logs an invalid request with the field and the reason', async () => {
  warned.length = 0
  const reply = await router({})(page, 'library.summary', { id: 7 })
  expect(reply).toMatchObject({
    ok: false,
    error: {
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/^library\.summary: id: .*string/),
    },
  })
  expect(warned).toHaveLength(1)
  expect(warned[0]).toMatch(/library\.summary.*"what":"id".*string/)
})

test('repeats no value or name of an invalid request', async () => {
  warned.length = 0
  const replies = [
    await router({})(page, 'library.summary', { id: 'x', [canary]: canary }),
    await router({})(page, 'library.summary', canary),
    await router({})(page, 'library.summary', { id: { [canary]: canary } }),
  ]
  expect(JSON.stringify([replies, warned])).not.toContain(canary)
  expect(warned).toHaveLength(3)
})

test('returns an unexpected error as INTERNAL without its message', async () => {
  const broken = () => {
    throw new Error(`boom ${canary}`)
  }
  const reply = await router({ 'app.info': broken })(page, 'app.info', {})
  expect(reply).toMatchObject({ ok: false, error: { code: 'INTERNAL', message: 'Internal error' } })
})

test('returns code, params and service detail of an expected error, redacted', async () => {
  const refuse = () => {
    throw new AppError('KEY_REJECTED', `bad key ${canary}`, {
      params: { limit: 3 },
      service: { status: 401, message: `no such ${canary}` },
    })
  }
  expect(await router({ 'app.info': refuse })(page, 'app.info', {})).toEqual({
    ok: false,
    error: {
      code: 'KEY_REJECTED',
      message: 'bad key ***',
      retriable: false,
      params: { limit: 3 },
      service: { status: 401, message: 'no such ***' },
      at: 42,
    },
  })
})

test('loads the routes of a domain once, with its first request, and keeps the order of requests', async () => {
  const made = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return { a: route<number>()(z.strictObject({})), b: route<number>()(z.strictObject({})) }
  }
  const load = vi.fn<typeof made>(made)
  const domain = lazyRoutes(load)
  const [a, b] = [domain.a, domain.b]
  expect(load).not.toHaveBeenCalled()
  const order: string[] = []
  const request = async (what: string, of: typeof a): Promise<void> => {
    const found = of()
    if (found instanceof Promise) await found
    order.push(what)
  }
  await Promise.all([request('b', b), request('a', a), request('b again', b)])
  expect(order).toEqual(['b', 'a', 'b again'])
  expect(load).toHaveBeenCalledTimes(1)
  // Also afterwards, by a route that is used for the first time.
  await Promise.all([request('first', a), request('second', b)])
  expect(order.slice(3)).toEqual(['first', 'second'])
  expect((await a()).request.safeParse({ more: 1 }).success).toBe(false)
})

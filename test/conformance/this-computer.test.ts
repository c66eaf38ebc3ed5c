import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService } from '../local-service/fixtures/service.ts'
import type { TestService } from '../local-service/fixtures/service.ts'
import { wires, type Wire } from './spec.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/** Returns the failure body that service-notes 14 specifies for the family; throws if another one was received. */
function failureOf(body: unknown, form: Wire['failure']): { code: unknown; message: string } {
  const holder = form === 'error object' ? (body as { error?: unknown }).error : body
  const { code, message, ...rest } = holder as { code?: unknown; message?: unknown }
  const right = form === 'error object' ? typeof code === 'string' : Number.isInteger(code)
  const own = form === 'error object' ? Object.keys(body as object).join() === 'error' : true
  if (!right || !own || typeof message !== 'string' || message === '')
    throw new Error(`not the body of this family: ${JSON.stringify(body)}`)
  if (form === 'error object' && Object.keys(rest).length > 0)
    throw new Error(`more than code and message: ${JSON.stringify(body)}`)
  return { code, message }
}

const places = Object.entries(wires).map(([name, wire]) => {
  const path = wire.path.replaceAll(/\{\w+\}/g, 'there-is-no-such')
  return [name, wire, path] as const
})

test.each(places)('%s is served, and fails with the body of its family', async (_, wire, path) => {
  const { method, failure } = wire
  const bare = await fetch(`${service.url}${path}`, { method })
  expect(bare.status, 'without a key').toBe(401)
  failureOf(await bare.json(), failure)

  const headers = { 'content-type': wire.form ? 'text/plain' : 'application/json' }
  const wrong = await service.call(path, {
    method,
    ...(method === 'POST' || method === 'PUT' ? { headers, body: '{"half' } : {}),
  })
  const body: unknown = await wrong.json()
  if (wrong.ok) expect(body, 'a response names its engine').toHaveProperty('engine')
  else expect(failureOf(body, failure).message, 'the endpoint is served').not.toBe('404 NOT_FOUND')
})

test('reports operations that are not served', async () => {
  const reply = await service.call('/paas/v4/nothing-here')
  expect([reply.status, failureOf(await reply.json(), 'error object')]).toEqual([
    500,
    { code: '404', message: '404 NOT_FOUND' },
  ])
})

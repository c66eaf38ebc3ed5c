import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorReply, ServiceError } from '../../src/local-service/errors.ts'
import { jsonValue, readJsonBody } from '../../src/local-service/json-body.ts'
import {
  booleanOf,
  choiceOf,
  integerOf,
  numberOf,
  objectOf,
  objectsOf,
  requestIdOf,
  requiredText,
  textOf,
  textsOf,
  userIdOf,
} from '../../src/local-service/json-fields.ts'

const maxBytes = 64
let server: Server
let url = ''

beforeAll(async () => {
  server = createServer((incoming, response) => {
    readJsonBody(incoming, maxBytes).then(
      (body) => response.end(JSON.stringify(body.values)),
      (error: unknown) => {
        const { status, body } = errorReply(error, '/paas/v4/embeddings')
        response.writeHead(status).end(body)
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

async function send(body: string | Uint8Array<ArrayBuffer>, type = 'application/json') {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })
  return { status: response.status, body: await response.text() }
}

test('reads a JSON object with any spelling of its content type', async () => {
  expect(await send('{"a":"é"}')).toEqual({ status: 200, body: '{"a":"é"}' })
  expect((await send('{}', 'Application/JSON; charset=utf-8')).status).toBe(200)
})

test('returns 1210 for a body that is not a JSON object in UTF-8', async () => {
  const bodies = ['', '{', '{"a":1}}', '[]', '"text"', 'null', '7', '{"a":NaN}', "{'a':1}"]
  for (const body of bodies) expect(await send(body), body).toMatchObject({ status: 400 })
  for (const body of bodies) expect((await send(body)).body).toContain('"code":"1210"')
  expect((await send(Uint8Array.of(0x7b, 0xff, 0x7d))).body).toContain('"code":"1210"')
  expect((await send('{}', 'text/plain')).body).toContain('"code":"1210"')
})

test('accepts a body of exactly the maximum size and rejects a larger one with a response', async () => {
  const of = (bytes: number): string => JSON.stringify({ a: 'x'.repeat(bytes - 8) })
  expect(of(maxBytes)).toHaveLength(maxBytes)
  expect((await send(of(maxBytes))).status).toBe(200)
  expect((await send(of(maxBytes + 1))).status).toBe(413)
  expect((await send(of(5_000_000))).status).toBe(413)
})

/** Returns the failure of reading, as `fieldMissing: message`; the result when there is none. */
function outcome(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error instanceof ServiceError ? `${error.failure}: ${error.message}` : error
  }
}

const body = (values: Record<string, unknown>, path = '') => ({ path, values })

test('treats an absent or null field as not sent', () => {
  for (const values of [{}, { a: null }]) {
    const object = body(values)
    expect(textOf(object, 'a')).toBeUndefined()
    expect(integerOf(object, 'a')).toBeUndefined()
    expect(textsOf(object, 'a')).toBeUndefined()
    expect(objectOf(object, 'a')).toBeUndefined()
    expect(booleanOf(object, 'a', true)).toBe(true)
    expect(outcome(() => requiredText(object, 'a'))).toBe('fieldMissing: a is required')
  }
  // Inherited properties of objects count as not sent.
  expect(jsonValue(body({}), 'constructor')).toBeUndefined()
  expect(jsonValue(body({}), '__proto__')).toBeUndefined()
})

test('applies limits exactly and names the field in the message', () => {
  const bounds = { min: 2, max: 3 }
  const text = (a: unknown) => outcome(() => textOf(body({ a }, 'items[0]'), 'a', bounds))
  expect(['ab', 'abc'].map(text)).toEqual(['ab', 'abc'])
  expect(text('a')).toBe('fieldIllegal: items[0].a must have 2 to 3 characters')
  expect(text('abcd')).toBe('fieldIllegal: items[0].a must have 2 to 3 characters')
  expect(text(7)).toBe('fieldIllegal: items[0].a must be a string')

  const number = (a: unknown) => outcome(() => numberOf(body({ a }), 'a', { min: 0.5, max: 2 }))
  expect([0.5, 2].map(number)).toEqual([0.5, 2])
  expect(number(0.49)).toBe('fieldIllegal: a must be 0.5 to 2')
  expect(number(2.01)).toBe('fieldIllegal: a must be 0.5 to 2')
  expect(number('1')).toBe('fieldIllegal: a must be a number')
  expect(number(JSON.parse('1e999'))).toBe('fieldIllegal: a must be a number')

  const integer = (a: unknown) => outcome(() => integerOf(body({ a }), 'a', { min: 0 }))
  expect(integer(0)).toBe(0)
  expect(integer(-1)).toBe('fieldIllegal: a must be at least 0')
  expect(integer(1.5)).toBe('fieldIllegal: a must be a whole number')

  const list = (a: unknown) => outcome(() => textsOf(body({ a }), 'a', { max: 2 }, { max: 1 }))
  expect(list(['x', 'y'])).toEqual(['x', 'y'])
  expect(list(['x', 'y', 'z'])).toBe('fieldIllegal: a must have at most 2 items')
  expect(list(['x', 'yy'])).toBe('fieldIllegal: a[1] must have at most 1 characters')
  expect(list(['x', null])).toBe('fieldIllegal: a[1] must be a string')
  expect(list('x')).toBe('fieldIllegal: a must be an array')
})

test('accepts only the allowed values of choices, flags and objects', () => {
  const choice = (a: unknown) => outcome(() => choiceOf(body({ a }), 'a', ['x', 'y']))
  expect(choice('y')).toBe('y')
  expect(choice('z')).toBe('fieldIllegal: a must be one of: x, y')
  const flag = (a: unknown) => outcome(() => booleanOf(body({ a }), 'a', false))
  expect(flag(true)).toBe(true)
  expect(flag('true')).toBe('fieldIllegal: a must be true or false')
  expect(flag(1)).toBe('fieldIllegal: a must be true or false')
  for (const a of ['x', 7, [], true])
    expect(outcome(() => objectOf(body({ a }), 'a'))).toBe('fieldIllegal: a must be an object')
  const [first] = objectsOf(body({ a: [{ b: { c: 7 } }] }), 'a') ?? []
  const inner = first && objectOf(first, 'b')
  expect(outcome(() => inner && textOf(inner, 'c'))).toBe('fieldIllegal: a[0].b.c must be a string')
  expect(outcome(() => objectsOf(body({ a: [{}, []] }), 'a'))).toBe(
    'fieldIllegal: a[1] must be an object',
  )
})

test('checks the length of request and user IDs', () => {
  const request = (length: number) =>
    outcome(() => requestIdOf(body({ request_id: 'x'.repeat(length) })))
  const user = (length: number) => outcome(() => userIdOf(body({ user_id: 'x'.repeat(length) })))
  for (const length of [6, 64]) expect(request(length)).toBe('x'.repeat(length))
  for (const length of [5, 65])
    expect(request(length)).toBe('fieldIllegal: request_id must have 6 to 64 characters')
  for (const length of [6, 128]) expect(user(length)).toBe('x'.repeat(length))
  for (const length of [0, 5, 129])
    expect(user(length)).toBe('fieldIllegal: user_id must have 6 to 128 characters')
})

import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  failureInside,
  htmlTitle,
  readErrorBody,
  serviceError,
} from '../../../src/main/provider-client/errors.ts'
import { meanings } from '../../../src/main/provider-client/error-codes.ts'
import { errorCodes } from '../../../src/shared/contract/reply.ts'
import { apiSetup, failureOf, testKey } from './support.ts'
import { growsWithItsInput } from '../../fixtures/growth.ts'

const facts = { status: 400, requestId: null, logId: null, retryAfterMs: null }
const same = (text: string): string => text

/** Status, body, our code, and whether the same call may succeed later. */
const table: readonly (readonly [number, unknown, string, boolean])[] = [
  // string codes of service-notes 14
  [400, { error: { code: 'invalid_request', message: 'm' } }, 'INVALID_INPUT', false],
  [404, { error: { code: 'model_not_found', message: 'm' } }, 'MODEL_UNKNOWN', false],
  [501, { error: { code: 'not_implemented', message: 'm' } }, 'NOT_IMPLEMENTED', false],
  [413, { error: { code: 'request_too_large', message: 'm' } }, 'FILE_TOO_LARGE', false],
  [401, { error: { code: 'authentication_error', message: 'm' } }, 'KEY_REJECTED', false],
  [401, { error: { code: 'invalid_api_key', message: 'm' } }, 'KEY_REJECTED', false],
  [401, { error: { code: 'expired', message: 'm' } }, 'KEY_REJECTED', false],
  [403, { error: { code: 'permission_denied', message: 'm' } }, 'PERMISSION_DENIED', false],
  [400, { error: { code: 'context_length_exceeded', message: 'm' } }, 'CONTEXT_TOO_LONG', false],
  [429, { error: { code: 'rate_limit_exceeded', message: 'm' } }, 'RATE_LIMITED', true],
  [429, { error: { code: 'insufficient_quota', message: 'm' } }, 'QUOTA_EXHAUSTED', false],
  [429, { error: { code: 'quota_exceeded', message: 'm' } }, 'QUOTA_EXHAUSTED', false],
  [429, { error: { code: 'usage_limit_reached', message: 'm' } }, 'QUOTA_EXHAUSTED', false],
  [403, { error: { code: 'usage_not_included', message: 'm' } }, 'QUOTA_EXHAUSTED', false],
  [500, { error: { code: 'server_error', message: 'm' } }, 'SERVER_ERROR', true],
  [503, { error: { code: 'server_is_overloaded', message: 'm' } }, 'OVERLOADED', true],
  [503, { error: { code: 'overloaded', message: 'm' } }, 'OVERLOADED', true],
  [429, { error: { code: 'slow_down', message: 'm' } }, 'OVERLOADED', true],
  [400, { error: { code: 'content_filter', message: 'm' } }, 'CONTENT_BLOCKED', false],
  [400, { error: { code: 'cyber_policy', message: 'm' } }, 'CONTENT_BLOCKED', false],
  // business codes of service-notes 14, as text and as numbers, in both families' bodies
  [401, { error: { code: '1000', message: 'm' } }, 'KEY_REJECTED', false],
  [401, { code: 1001, message: 'm' }, 'KEY_REJECTED', false],
  [401, { error: { code: 1003, message: 'm' } }, 'KEY_REJECTED', false],
  [403, { error: { code: '1220', message: 'm' } }, 'PERMISSION_DENIED', false],
  [400, { error: { code: '1210', message: 'm' } }, 'INVALID_INPUT', false],
  [400, { error: { code: '1211', message: 'm' } }, 'MODEL_UNKNOWN', false],
  [400, { code: '1212', msg: 'm' }, 'NOT_IMPLEMENTED', false],
  [400, { error: { code: '1214', message: 'm' } }, 'INVALID_INPUT', false],
  [400, { error: { code: '1261', message: 'm' } }, 'CONTEXT_TOO_LONG', false],
  [400, { error: { code: '1301', message: 'm' } }, 'CONTENT_BLOCKED', false],
  [429, { error: { code: '1302', message: 'm' } }, 'RATE_LIMITED', true],
  [429, { error: { code: '1305', message: 'm' } }, 'OVERLOADED', true],
  [429, { error: { code: '1113', message: 'm' } }, 'QUOTA_EXHAUSTED', false],
  [429, { error: { code: '1308', message: 'm' } }, 'QUOTA_EXHAUSTED', false],
  [429, { error: { code: '1310', message: 'm' } }, 'QUOTA_EXHAUSTED', false],
  [429, { error: { code: '1311', message: 'm' } }, 'PERMISSION_DENIED', false],
  [429, { error: { code: '1316', message: 'm' } }, 'QUOTA_EXHAUSTED', false],
  [429, { error: { code: '1399', message: 'm' } }, 'RATE_LIMITED', false],
  [500, { error: { code: '1234', message: 'm' } }, 'SERVER_ERROR', true],
  [500, { error: { code: '1210', message: 'm' } }, 'INVALID_INPUT', false],
  // a gateway's status as code; an unknown path that answers 500 with a 404 inside
  [401, { code: 401, message: 'm' }, 'KEY_REJECTED', false],
  [500, { error: { code: '404', message: 'm' } }, 'SERVICE_NOT_FOUND', false],
  [500, { timestamp: 1, status: 404, error: 'Not Found', path: '/x' }, 'SERVICE_NOT_FOUND', false],
  // one meaning of a status, whatever the format of its body
  [404, { code: 404, message: 'm' }, 'SERVICE_NOT_FOUND', false],
  [404, { error: { code: 'invalid_request', message: 'm' } }, 'SERVICE_NOT_FOUND', false],
  [404, { error: { type: 'invalid_request_error', message: 'm' } }, 'SERVICE_NOT_FOUND', false],
  [404, { error: { code: '1214', message: 'm' } }, 'SERVICE_NOT_FOUND', false],
  [404, { error: { message: 'm' } }, 'SERVICE_NOT_FOUND', false],
  [410, { code: 1210, message: 'm' }, 'SERVICE_NOT_FOUND', false],
  [404, { error: { code: '1222', message: 'm' } }, 'NOT_IMPLEMENTED', false],
  // the status alone
  [400, '', 'INVALID_INPUT', false],
  [401, '', 'KEY_REJECTED', false],
  [402, '', 'QUOTA_EXHAUSTED', false],
  [403, '<html><title>Forbidden</title></html>', 'PERMISSION_DENIED', false],
  [404, '', 'SERVICE_NOT_FOUND', false],
  [408, '', 'TIMEOUT', true],
  [413, '', 'FILE_TOO_LARGE', false],
  [415, '', 'UNSUPPORTED_FORMAT', false],
  [429, '', 'RATE_LIMITED', true],
  [429, { error: { message: 'slower' } }, 'RATE_LIMITED', true],
  [434, '', 'PERMISSION_DENIED', false],
  [435, '', 'FILE_TOO_LARGE', false],
  [500, '{"error":', 'SERVER_ERROR', true],
  [502, '<html><title>502 Bad Gateway</title></html>', 'SERVER_ERROR', true],
  [503, '', 'OVERLOADED', true],
  [504, 'upstream', 'SERVER_ERROR', true],
  [302, '', 'REDIRECTED', false],
  // a failure in a success
  [200, { error: { code: '1211', message: 'm' } }, 'MODEL_UNKNOWN', false],
  [200, { error: { code: 'odd', message: 'm' } }, 'SERVICE_FAILED', false],
  [200, { status: 'failed', error: { code: '1234', message: 'm' } }, 'SERVER_ERROR', true],
  [200, { status: 'failed', text: 'half' }, 'SERVICE_FAILED', false],
  [200, { success: false, msg: 'm' }, 'SERVICE_FAILED', false],
  [200, { code: 500, message: 'm' }, 'SERVER_ERROR', true],
  [200, { code: 1113, message: 'm' }, 'QUOTA_EXHAUSTED', false],
  [200, { error: 'plain words' }, 'SERVICE_FAILED', false],
  [200, '<!doctype html><title>Sign in to Wi-Fi</title>', 'MALFORMED_REPLY', false],
  [200, '{"text": "half', 'MALFORMED_REPLY', false],
  [200, '', 'MALFORMED_REPLY', false],
  [200, '[]', 'MALFORMED_REPLY', false],
]

test('maps every failure of a response to its code', async () => {
  const { api, server, target, request, calls } = await apiSetup({
    tuning: { rules: { attempts: 1, firstDelayMs: 0, maxDelayMs: 0, maxWaitMs: 0 } },
  })
  for (const [status, body, code, retriable] of table) {
    server.queue({ status, body: typeof body === 'string' ? body : JSON.stringify(body) })
    const error = await failureOf(api.transcriptions.create(target(), request(), {}))
    expect
      .soft([status, body, error.code, error.retriable])
      .toEqual([status, body, code, retriable])
    expect.soft(error.service?.status ?? status).toBe(status)
    expect.soft(calls.at(-1)).toMatchObject({ status, outcome: 'failed', errorCode: code })
  }
})

test('maps only to codes that the app can show', () => {
  for (const { code } of meanings.values()) expect(errorCodes).toContain(code)
})

test('does not treat a 200 envelope, a null error or a running status as failures', () => {
  for (const body of [
    { code: 200, message: 'ok', data: {} },
    { code: '200', success: true },
    { error: null, text: 'x' },
    { error: {}, text: 'x' },
    { status: 'completed' },
    [],
    null,
    'text',
  ])
    expect(failureInside(body)).toBeNull()
})

test('includes the details that support needs', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({
    status: 400,
    headers: { 'x-log-id': 'log-77', 'content-type': 'text/plain' },
    body: '{"error":{"code":"1214","message":"bad  field\\n\\u0000here"}}',
  })
  const error = await failureOf(api.connection.check(target(), { requestId: 'my-request' }))
  expect(error.service).toEqual({
    status: 400,
    code: '1214',
    message: 'bad field here',
    requestId: 'my-request',
    logId: 'log-77',
  })
})

test('truncates the message of the provider after removing the key from it', async () => {
  const { api, server, target } = await apiSetup()
  const message = `${'x'.repeat(480)} key ${testKey} Bearer ${encodeURIComponent(testKey)} tail`
  server.queue({ status: 401, body: JSON.stringify({ error: { code: '1000', message } }) })
  const error = await failureOf(api.connection.check(target(), {}))
  expect(error.service?.message?.length).toBeLessThanOrEqual(500)
  const shown = inspect(error, { depth: 9 }) + JSON.stringify(error)
  for (const part of [testKey, testKey.slice(0, 20), encodeURIComponent(testKey)])
    expect(shown).not.toContain(part)
})

test('converts any body to an AppError with bounded, clean text', () => {
  const words = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant(testKey))
  const odd = fc.oneof(words, fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        error: fc.oneof(
          odd,
          fc.record({ code: odd, message: odd, msg: odd, type: odd }, { requiredKeys: [] }),
          fc.array(odd),
        ),
        code: odd,
        message: odd,
        msg: odd,
        status: odd,
        success: odd,
        detail: odd,
      },
      { requiredKeys: [] },
    ),
  )
  fc.assert(
    fc.property(body, fc.integer({ min: 200, max: 599 }), (json, status) => {
      const found = failureInside(json) ?? readErrorBody(json)
      const error = serviceError({ ...facts, status }, found, (text) =>
        text.replaceAll(testKey, '[redacted]'),
      )
      expect(errorCodes).toContain(error.code)
      expect(error.service?.message?.length ?? 0).toBeLessThanOrEqual(500)
      expect(error.service?.message ?? '').not.toMatch(/[\p{Cc}]/u)
      expect(error.service?.code ?? 'x').toMatch(/^[\w.[\]-]{1,64}$/)
      expect(JSON.stringify(error.service)).not.toContain(testKey)
    }),
    { numRuns: 2000 },
  )
})

test('ignores codes found on the prototype', () => {
  for (const code of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
    expect(serviceError(facts, { code, message: null }, same).code).toBe('INVALID_INPUT')
})

test('handles a page of title start tags in linear time', () => {
  const page = (times: number): string => '<title'.repeat(3000 * times)
  expect(htmlTitle(page(8))).toBeNull()
  expect(growsWithItsInput((times) => htmlTitle(page(times)))).toBe(true)
})

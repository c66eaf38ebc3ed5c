import { expect, test } from 'vitest'
import { errorBody, errorReply, failureForm, ServiceError } from '../../src/local-service/errors.ts'
import type { ServiceFailure } from '../../src/local-service/errors.ts'

const parsed = (body: unknown): unknown => {
  if (typeof body !== 'string') throw new Error('The body is no text')
  return JSON.parse(body)
}

const bodyAt = (path: string, failure: ServiceFailure): unknown => {
  const { status, body } = errorReply(new ServiceError(failure, 'why'), path)
  return [status, parsed(body)]
}

test('formats errors of each endpoint family in its own form (service-notes 14 and 8)', () => {
  for (const path of [
    '/zrag/agent/chat',
    '/llm-application/open/knowledge',
    '/llm-application/open/v2/application/slice_info',
    '/paas/v4/assistant',
  ])
    expect(bodyAt(path, 'fieldIllegal'), path).toEqual([400, { code: 1214, message: 'why' }])
  for (const path of [
    '/paas/v4/assistant/list',
    '/paas/v4/assistant/conversation/list',
    '/paas/v4/rerank',
    '/v1/agents/conversation',
    '/v1/responsesx',
    '/anything',
  ])
    expect(bodyAt(path, 'fieldIllegal'), path).toEqual([
      400,
      { error: { code: '1214', message: 'why' } },
    ])
  for (const path of ['/v1/responses', '/v1/responses/resp-1', '/v1/responses/resp-1/input_items'])
    expect(bodyAt(path, 'fieldIllegal'), path).toEqual([
      400,
      { error: { code: 'invalid_request', message: 'why' } },
    ])
})

test.each([
  ['noKey', 401, 1001, 'authentication_error'],
  ['wrongKey', 401, 1000, 'invalid_api_key'],
  ['keyExpired', 401, 1003, 'expired'],
  ['permission', 403, 1220, 'permission_denied'],
  ['badRequest', 400, 1210, 'invalid_request'],
  ['unknownModel', 400, 1211, 'model_not_found'],
  ['unsupported', 400, 1212, 'not_implemented'],
  ['fieldMissing', 400, 1213, 'invalid_request'],
  ['conflict', 400, 1215, 'invalid_request'],
  ['engineUnavailable', 400, 1221, 'not_implemented'],
  ['notImplemented', 400, 1222, 'not_implemented'],
  ['contextTooLong', 400, 1261, 'context_length_exceeded'],
  ['contentBlocked', 400, 1301, 'content_filter'],
  ['notFound', 404, 404, 'invalid_request'],
  ['fileTooLarge', 435, 435, 'request_too_large'],
  ['bodyTooLarge', 413, 413, 'request_too_large'],
  ['tooManyRequests', 429, 1302, 'rate_limit_exceeded'],
  ['overloaded', 429, 1305, 'server_is_overloaded'],
  ['quota', 429, 1113, 'insufficient_quota'],
  ['callFailed', 500, 1200, 'server_error'],
  ['networkError', 500, 1234, 'server_error'],
  ['unknownPath', 500, 404, 'not_implemented'],
] as const)('%s: HTTP %i, %i, %s', (failure, status, number, word) => {
  expect(bodyAt('/zrag/x', failure)).toEqual([status, { code: number, message: 'why' }])
  expect(bodyAt('/paas/v4/x', failure)).toEqual([
    status,
    { error: { code: String(number), message: 'why' } },
  ])
  expect(bodyAt('/v1/responses/x', failure)).toEqual([
    status,
    { error: { code: word, message: 'why' } },
  ])
})

test('reports unexpected errors without their text', () => {
  const { status, body } = errorReply(new Error('/home/somebody/secret'), '/zrag/agent/chat')
  expect(status).toBe(500)
  expect(parsed(body)).toEqual({
    code: 1200,
    message: 'The on-device service failed',
  })
})

test('uses the form of most endpoint families without a path', () => {
  expect(errorBody('callFailed', 'why')).toEqual({ error: { code: '1200', message: 'why' } })
  expect(failureForm('')).toBe('text')
})

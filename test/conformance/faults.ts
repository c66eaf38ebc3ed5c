import type { ScriptedReply } from '../fixtures/scripted-server.ts'
import type { Row } from './row.ts'

/** Failure of a provider, a gateway or a network, with the error the user gets. */
export interface Fault {
  readonly name: string
  /** Derives the response from the successful one; `null`: no server is listening. */
  reply(happy: ScriptedReply, row: Row): ScriptedReply | null
  /** Returns the code of the AppError. */
  code(row: Row): string
  /** Where the response becomes silent: the call ends by timeout. */
  readonly silent?: 'head' | 'body'
  /** The request never arrived, so even a creating call may be retried. */
  readonly unsent?: true
  /** Whether this fault does not apply to a row. */
  without?(row: Row): boolean
}

const body = (status: number, value: unknown): ScriptedReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const page = (status: number, title: string): ScriptedReply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<!doctype html><html><head><title>${title}</title></head><body></body></html>`,
})
const always = (code: string) => (): string => code
const length = (reply: ScriptedReply): number => Buffer.byteLength(reply.body ?? '')

/** Faults that every operation is tested with. */
export const faults: readonly Fault[] = [
  { name: 'connection refused', reply: () => null, code: always('OFFLINE'), unsent: true },
  {
    name: 'connection closed without a response',
    reply: () => ({ dropped: true, cutBy: 'reset' }),
    code: always('OFFLINE'),
  },
  {
    name: 'silence before the headers',
    silent: 'head',
    reply: (happy) => ({ ...happy, delayMs: 3_600_000 }),
    code: always('TIMEOUT'),
  },
  {
    name: 'silence in the body',
    silent: 'body',
    reply: (happy) => ({
      ...happy,
      body: String(happy.body).slice(0, length(happy) / 2),
      hang: true,
    }),
    code: (row) => (row.stream ? 'STREAM_CUT' : 'TIMEOUT'),
  },
  {
    name: 'connection closed in the body',
    reply: (happy) => ({
      ...happy,
      cutAfter: Math.floor(length(happy) / 2),
      contentLength: length(happy),
      cutBy: 'reset',
    }),
    code: always('STREAM_CUT'),
  },
  {
    name: '429, too many concurrent requests',
    reply: () => body(429, { error: { code: '1302', message: 'slow' } }),
    code: always('RATE_LIMITED'),
  },
  { name: '429 without a body', reply: () => ({ status: 429 }), code: always('RATE_LIMITED') },
  {
    name: '401 of a gateway',
    reply: () => body(401, { code: 401, message: 'no' }),
    code: always('KEY_REJECTED'),
  },
  {
    name: '403',
    reply: () => body(403, { error: { code: '1220', message: 'no' } }),
    code: always('PERMISSION_DENIED'),
  },
  {
    name: '413',
    reply: () => page(413, '413 Request Entity Too Large'),
    code: always('FILE_TOO_LARGE'),
  },
  { name: '500', reply: () => ({ status: 500 }), code: always('SERVER_ERROR') },
  {
    name: '500 with the code 404',
    reply: () => body(500, { status: 404, error: 'Not Found', path: '/x' }),
    code: always('SERVICE_NOT_FOUND'),
  },
  {
    name: '503 with a web page',
    reply: () => page(503, '503 Service Unavailable'),
    code: always('OVERLOADED'),
  },
  {
    name: 'redirect to another origin',
    reply: () => ({ status: 302, headers: { location: 'http://elsewhere.invalid/' } }),
    code: always('REDIRECTED'),
  },
  {
    name: 'a sign-in page with 200',
    reply: () => page(200, 'Sign in'),
    code: always('MALFORMED_REPLY'),
    without: (row) => row.name === 'files.content',
  },
  {
    name: 'truncated JSON',
    reply: () => ({
      headers: { 'content-type': 'application/json' },
      body: '{"id":"x","data":[{"a',
    }),
    code: always('MALFORMED_REPLY'),
    without: (row) => row.name === 'files.content',
  },
  {
    name: 'empty body',
    reply: () => ({ body: '' }),
    code: always('MALFORMED_REPLY'),
    without: (row) => row.name === 'files.content',
  },
  {
    name: '200 with an error object',
    reply: () => body(200, { status: 'failed', error: { code: '1234', message: 'broke' } }),
    code: always('SERVER_ERROR'),
    without: (row) => row.name === 'files.content',
  },
  {
    name: '200 with code and message',
    reply: () => body(200, { code: 1301, message: 'unsafe' }),
    code: always('CONTENT_BLOCKED'),
    without: (row) => row.name === 'files.content',
  },
]

/** Failures inside a stream that has begun (service-notes 1, 6, 8). */
export const streamFaults: readonly {
  readonly name: string
  readonly tail: string
  readonly code: string
}[] = [
  { name: 'the connection ends', tail: '', code: 'STREAM_CUT' },
  {
    name: 'data with an error',
    tail: 'data: {"error":{"code":"1305","message":"busy"}}\n\n',
    code: 'OVERLOADED',
  },
  {
    name: 'an error event',
    tail: 'event: error\ndata: {"code":1301,"message":"unsafe"}\n\n',
    code: 'CONTENT_BLOCKED',
  },
  { name: 'data that is not an event', tail: 'data: <html>\n\n', code: 'MALFORMED_REPLY' },
]

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSse } from '../../../src/main/provider-client/sse.ts'
import type { ServerEvent } from '../../../src/main/provider-client/sse.ts'

/** Yields the bytes in chunks that end at the given offsets; then throws `fail` if it is given. */
async function* chunked(
  bytes: Uint8Array,
  cuts: readonly number[] = [],
  fail?: Error,
): AsyncIterable<Uint8Array> {
  let start = 0
  for (const end of [...cuts].toSorted((a, b) => a - b).concat(bytes.length)) {
    yield bytes.subarray(start, end)
    start = Math.max(start, end)
  }
  if (fail) throw fail
}

async function read(
  body: AsyncIterable<Uint8Array>,
): Promise<{ events: ServerEvent[]; text: string; done: boolean; error: unknown }> {
  const events: ServerEvent[] = []
  let text = ''
  let done = false
  let error: unknown
  try {
    const handlers = {
      onEvent: (event: ServerEvent) => void events.push(event),
      onText: (chunk: string) => void (text += chunk),
    }
    done = (await readSse(body, handlers)).done
  } catch (thrown) {
    error = thrown
  }
  return { events, text, done, error }
}

const stream = [
  ': 你好, a comment\n',
  'data: {"delta":"我们"}\n\n',
  'event: note\r\ndata:{"delta":"没有空格"}\r\n\r\n',
  'id: 7\rdata: {"a":\rdata: 1}\r\r',
  'retry: 10\nunknown: x\ndata: {"delta":"😀 e\u0301"}\n\n',
  'data: [DONE]\n\n',
].join('')
const bytes = Buffer.from(`\ufeff${stream}`)
const expected = [
  { name: undefined, data: '{"delta":"我们"}' },
  { name: 'note', data: '{"delta":"没有空格"}' },
  { name: undefined, data: '{"a":\n1}' },
  { name: undefined, data: '{"delta":"😀 e\u0301"}' },
]

test('parses comments, all line ends, a byte order mark and [DONE]', async () => {
  expect(await read(chunked(bytes))).toEqual({
    events: expected,
    text: stream,
    done: true,
    error: undefined,
  })
})

test('gives the same result with two splits anywhere, inside characters and line ends', async () => {
  for (let first = 0; first <= bytes.length; first++)
    for (const second of [first + 1, first + 2, first + 5, bytes.length]) {
      const { events, text, done } = await read(
        chunked(bytes, [first, Math.min(second, bytes.length)]),
      )
      expect({ events, text, done }).toEqual({ events: expected, text: stream, done: true })
    }
})

test('gives the same result with any chunking', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 60 }), async (cuts) => {
      const { events, done } = await read(chunked(bytes, cuts))
      expect({ events, done }).toEqual({ events: expected, done: true })
    }),
    { numRuns: 300 },
  )
})

test('never crashes on arbitrary bytes and passes all of them on', async () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom('data: ', 'data:', '\n', '\r', '\r\n', '\n\n', '[DONE]', 'event: x', ':'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat(200)), async (lines, cuts) => {
      const all = Buffer.from(lines.join(''))
      const { error, text, done } = await read(
        chunked(
          all,
          cuts.map((cut) => Math.min(cut, all.length)),
        ),
      )
      expect(error).toBeUndefined()
      if (!done) expect(text).toBe(new TextDecoder().decode(all))
    }),
    { numRuns: 500 },
  )
})

test('accepts the end of a cut stream only if it is complete', async () => {
  const ending = async (text: string): Promise<[number, boolean]> => {
    const { events, done } = await read(chunked(Buffer.from(text)))
    return [events.length, done]
  }
  expect(await ending('data: {"delta":"x"}')).toEqual([1, false])
  expect(await ending('data: {"delta":"x}')).toEqual([0, false])
  expect(await ending('data: {"delta":"x"')).toEqual([0, false])
  expect(await ending('data: 12')).toEqual([0, false])
  expect(await ending('data: [DONE]')).toEqual([0, true])
  expect(await ending('data: [DON')).toEqual([0, false])
  expect(await ending('data: {"delta":"x"}\n\ndata: [DONE]\r')).toEqual([1, true])
})

test('delivers data received before a broken connection before the error', async () => {
  const reset = new Error('reset')
  const cut = Buffer.from('data: {"n":1}\n\ndata: {"n":2}')
  const { events, error } = await read(chunked(cut, [], reset))
  expect(events.map(({ data }) => data)).toEqual(['{"n":1}', '{"n":2}'])
  expect(error).toBe(reset)
})

test('ignores a connection that breaks after [DONE]', async () => {
  const body = Buffer.from('data: {"n":1}\n\ndata: [DONE]\n\n')
  for (const cuts of [[], [body.length - 2], [body.length]]) {
    const { error, done } = await read(chunked(body, cuts, new Error('reset')))
    expect([error, done]).toEqual([undefined, true])
  }
})

test('delivers nothing after [DONE]', async () => {
  const { events } = await read(chunked(Buffer.from('data: [DONE]\n\ndata: {"late":1}\n\n')))
  expect(events).toEqual([])
})

test('stops reading when the consumer throws', async () => {
  const stop = new Error('enough')
  let seen = 0
  const result = readSse(chunked(Buffer.from('data: {}\n\ndata: {}\n\n')), {
    onEvent() {
      seen += 1
      throw stop
    },
  })
  await expect(result).rejects.toBe(stop)
  expect(seen).toBe(1)
})

test('rejects an endless line before it exhausts memory', async () => {
  let given = 0
  const endless = async function* (): AsyncIterable<Uint8Array> {
    yield Buffer.from('data: ')
    for (;;) {
      given += 65_536
      yield Buffer.alloc(65_536, 'x')
    }
  }
  const result = readSse(endless(), { onEvent() {}, maxPending: 1_000_000 })
  await expect(result).rejects.toMatchObject({
    code: 'MALFORMED_REPLY',
    params: { reason: 'too-large' },
  })
  expect(given).toBeLessThan(1_200_000)
})

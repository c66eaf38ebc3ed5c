import { expect, test } from 'vitest'
import { TranscriptionCut } from '../../../src/main/provider-client/index.ts'
import { wireDefaults } from '../../../src/shared/provider/profiles.ts'
import { apiSetup, delta, eventStream, failureOf, forGood } from './support.ts'

const json = { 'content-type': 'application/json' }

test('returns text, model, IDs and the raw response of a plain transcription', async () => {
  const { api, server, target, request } = await apiSetup()
  const body = JSON.stringify({
    id: 'r1',
    created: 1,
    request_id: 'from-service',
    model: 'glm-asr-2512',
    text: '\n\nAsk not.',
    notice: 'English only',
  })
  server.queue({ headers: json, body })
  const result = await api.transcriptions.create(target(), request(), {})
  expect(result).toEqual({
    text: 'Ask not.',
    noSpeech: false,
    model: 'glm-asr-2512',
    requestId: 'from-service',
    notice: 'English only',
    raw: { status: 200, contentType: 'application/json', body },
  })
})

test.each([
  [
    'an engine',
    { model: 'glm-asr-2512', engine: ' Moonshine tiny (English) ' },
    'Moonshine tiny (English)',
  ],
  ['an empty engine', { model: 'glm-asr-2513', engine: ' ' }, 'glm-asr-2513'],
  ['a very long engine name', { engine: 'x'.repeat(5000) }, 'x'.repeat(200)],
  ['only a model', { model: 'glm-asr-2513' }, 'glm-asr-2513'],
  ['neither', {}, 'glm-asr-2512'],
])('determines the engine of a response that names %s', async (_, named, expectedModel) => {
  const { api, server, target, request } = await apiSetup()
  server.queue({ headers: json, body: JSON.stringify({ text: 'words', ...named }) })
  server.queue({ body: eventStream([{ ...delta('words'), model: null, ...named }]) })
  const whole = await api.transcriptions.create(target(), request(), {})
  const streamed = await api.transcriptions.create(target(), request({ stream: true }), {})
  expect([whole.model, streamed.model]).toEqual([expectedModel, expectedModel])
})

test('sends the form fields of the profile in a stable order, hotwords once per word', async () => {
  const { api, server, target, request, file } = await apiSetup()
  server.always({ body: '{"text":"ok"}' })
  await api.transcriptions.create(
    target({
      wire: { ...wireDefaults, transcriptionPrompt: 'context', transcriptionHotwords: 'hot[]' },
    }),
    request({
      prompt: '前文',
      hotwords: ['Lectern', '智谱'],
      stream: true,
      file: file(5, 'we"ird\r\nname.wav'),
    }),
    { requestId: 'request-0001' },
  )
  const [sent] = server.requests
  expect(sent?.headers['content-length']).toBe(String(sent?.body.length))
  const boundary = /boundary=(\S+)$/.exec(String(sent?.headers['content-type']))?.[1]
  const part = (head: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
  expect(sent?.body.toString()).toBe(
    part('name="model"', 'glm-asr-2512') +
      part('name="stream"', 'true') +
      part('name="request_id"', 'request-0001') +
      part('name="context"', '前文') +
      part('name="hot[]"', 'Lectern') +
      part('name="hot[]"', '智谱') +
      part('name="file"; filename="we%22ird%0D%0Aname.wav"\r\nContent-Type: audio/wav', 'sound') +
      `--${boundary}--\r\n`,
  )
})

test('matches the extension of the file name to the content', async () => {
  const { api, server, target, request, file } = await apiSetup()
  server.always({ body: '{"text":"ok"}' })
  const nameSent = async (name: string): Promise<string | undefined> => {
    await api.transcriptions.create(target(), request({ file: file(3, name) }), {})
    return /filename="([^"]*)"/.exec(String(server.requests.at(-1)?.body))?.[1]
  }
  expect(await nameSent('talk.WAV')).toBe('talk.WAV')
  expect(await nameSent('talk.mp3')).toBe('talk.wav')
  expect(await nameSent('会议 3.1')).toBe('会议 3.wav')
  expect(await nameSent('.m4a')).toBe('audio.wav')
  expect(await nameSent('/home/me/talk.wav')).toBe('talk.wav')
})

test('sends bearer, language and identity encoding, and never the key in the body', async () => {
  const { api, server, target, request } = await apiSetup()
  server.queue({ body: '{"text":"ok"}' })
  const to = target({ acceptLanguage: 'zh-CN' })
  await api.transcriptions.create(to, request(), {})
  const [sent] = server.requests
  expect(sent?.headers).toMatchObject({
    authorization: `Bearer ${to.key}`,
    'accept-language': 'zh-CN',
    'accept-encoding': 'identity',
    accept: 'application/json',
  })
  expect(sent?.url).toBe('/api/paas/v4/audio/transcriptions')
  expect(sent?.body.toString('latin1')).not.toContain(to.key)
})

test('emits deltas of a stream on arrival and the joined text at the end', async () => {
  const { api, server, target, request } = await apiSetup()
  const body = eventStream([delta('\nAnd so'), delta(', my'), delta(' 同胞们')])
  server.queue({ body, headers: { 'content-type': 'text/event-stream' } })
  const deltas: string[] = []
  const result = await api.transcriptions.create(target(), request({ stream: true }), {
    onDelta: (text) => deltas.push(text),
  })
  expect(deltas).toEqual(['And so', ', my', ' 同胞们'])
  expect(result.text).toBe('And so, my 同胞们')
  expect(result.raw.body).toBe(body)
})

test.each([
  ['repeats the text', ['a', 'b'], { delta: 'ab' }, 'ab', 'ab'],
  ['extends the text', ['a', 'b'], { delta: 'abc' }, 'abc', 'abc'],
  ['repeats the text in its own field', [' a', 'b '], { text: 'ab' }, 'ab', ' ab '],
  ['extends the text in its own field', ['a', 'b'], { text: 'abc' }, 'abc', 'abc'],
  ['corrects the text in its own field', ['a', 'b'], { text: 'A b.' }, 'A b.', 'ab'],
  ['corrects it at the same length', ['a', 'b'], { text: 'aB' }, 'aB', 'ab'],
  ['contains less text than was streamed', ['one', ' two'], { text: ' two' }, 'one two', 'one two'],
  ['contains an empty text', ['one', ' two'], { text: '' }, 'one two', 'one two'],
  [
    'contains a delta and a text',
    ['one', ' two'],
    { delta: '', text: 'one two' },
    'one two',
    'one two',
  ],
  [
    'contains the last words',
    ['one', ' two'],
    { delta: ' three' },
    'one two three',
    'one two three',
  ],
  ['contains no text', ['a', 'b'], {}, 'ab', 'ab'],
  ['is the only event', [], { delta: 'ab' }, 'ab', 'ab'],
])('handles a done event that %s', async (_, chunks, done, text, streamedText) => {
  const { api, server, target, request } = await apiSetup()
  const events = [...chunks.map(delta), { type: 'transcript.text.done', ...done }]
  server.queue({ body: eventStream(events) })
  let deltas = ''
  const result = await api.transcriptions.create(target(), request({ stream: true }), {
    onDelta: (chunk) => (deltas += chunk),
  })
  expect(result.text).toBe(text)
  expect(deltas).toBe(streamedText)
})

test('parses chat-like chunks', async () => {
  const { api, server, target, request } = await apiSetup()
  server.queue({
    body: eventStream([
      { choices: [{ index: 0, delta: { role: 'assistant', content: 'one' } }] },
      { choices: [{ index: 0, delta: { content: ' two' } }], usage: { total_tokens: 7 } },
      { choices: [{ index: 0, finish_reason: 'stop', delta: {} }] },
    ]),
  })
  const result = await api.transcriptions.create(target(), request({ stream: true }), {})
  expect(result.text).toBe('one two')
})

test('treats an abnormal finish reason as a failure that keeps the text', async () => {
  const { api, server, target, request } = await apiSetup()
  server.queue({
    body: eventStream([
      { choices: [{ delta: { content: 'one' } }] },
      { choices: [{ delta: {}, finish_reason: 'sensitive' }] },
    ]),
  })
  const error = await failureOf(api.transcriptions.create(target(), request({ stream: true }), {}))
  expect(error).toBeInstanceOf(TranscriptionCut)
  expect(error).toMatchObject({ code: 'CONTENT_BLOCKED', text: 'one', retriable: false })
})

test('accepts JSON in response to a stream request, and the reverse', async () => {
  const { api, server, target, request } = await apiSetup()
  const deltas: string[] = []
  const onDelta = (text: string): void => void deltas.push(text)
  server.queue({ body: ' {"text":"whole"}', headers: { 'content-type': 'text/event-stream' } })
  server.queue({ body: `\ufeff: hi\n\n${eventStream([delta('streamed')])}`, headers: json })
  const whole = await api.transcriptions.create(target(), request({ stream: true }), { onDelta })
  const streamed = await api.transcriptions.create(target(), request(), { onDelta })
  expect([whole.text, streamed.text, ...deltas]).toEqual(['whole', 'streamed', 'whole', 'streamed'])
})

test.each(['', '\n', 'No speech detected.', '[BLANK_AUDIO]', '(静音)', '未检测到语音。', '...'])(
  'treats the response %j as no speech',
  async (text) => {
    const { api, server, target, request } = await apiSetup()
    server.queue({ body: JSON.stringify({ text }) }, { body: eventStream([delta(text)]) })
    expect(await api.transcriptions.create(target(), request(), {})).toMatchObject({
      noSpeech: true,
    })
    expect(await api.transcriptions.create(target(), request({ stream: true }), {})).toMatchObject({
      noSpeech: true,
    })
  },
)

test('keeps the text of a stream that fails midway, without a retry', async () => {
  const { api, server, target, request } = await apiSetup()
  const failing = [
    `data: ${JSON.stringify(delta('kept'))}\n\ndata: {"error":{"code":"1234","message":"network"}}\n\n`,
    `data: ${JSON.stringify(delta('kept'))}\n\nevent: error\ndata: {"code":500,"message":"x"}\n\n`,
    `data: ${JSON.stringify(delta('kept'))}\n\nevent: error\ndata: it broke\n\n`,
  ]
  for (const body of failing) server.queue({ body })
  const codes: string[] = []
  for (const _ of failing) {
    const error = await failureOf(
      api.transcriptions.create(target(), request({ stream: true }), {}),
    )
    expect(error).toMatchObject({ name: 'TranscriptionCut', text: 'kept' })
    codes.push(error.code)
  }
  expect(codes).toEqual(['SERVER_ERROR', 'SERVER_ERROR', 'SERVICE_FAILED'])
  expect(server.requests).toHaveLength(failing.length)
})

test('cuts a silent stream after the idle timeout and keeps its text', async () => {
  const { api, server, target, request } = await apiSetup({
    tuning: { longCall: { replyMs: 300, idleMs: 300 } },
  })
  server.queue({ body: `data: ${JSON.stringify(delta('so far'))}\n\n`, hang: true })
  const error = await failureOf(api.transcriptions.create(target(), request({ stream: true }), {}))
  expect(error).toMatchObject({ code: 'STREAM_CUT', text: 'so far', retriable: true })
})

test('keeps the text of a canceled stream', async () => {
  const { api, server, target, request, calls } = await apiSetup()
  server.queue({ body: `data: ${JSON.stringify(delta('so far'))}\n\n`, hang: true })
  const stop = new AbortController()
  const error = await failureOf(
    api.transcriptions.create(target(), request({ stream: true }), {
      signal: stop.signal,
      onDelta: () => stop.abort(),
    }),
  )
  expect(error).toMatchObject({ name: 'TranscriptionCut', code: 'CANCELLED', text: 'so far' })
  expect(calls.map(({ outcome }) => outcome)).toEqual(['cancelled'])
})

test('returns the result although the stream stays open after [DONE]', async () => {
  // Waiting for the end of this connection would never finish.
  const { api, server, target, request } = await apiSetup({
    tuning: { longCall: { replyMs: forGood, idleMs: forGood } },
  })
  server.queue({ body: eventStream([delta('all')]), hang: true })
  const result = await api.transcriptions.create(target(), request({ stream: true }), {})
  expect(result.text).toBe('all')
})

test('treats a response without text as malformed, not as an empty transcript', async () => {
  const { api, server, target, request } = await apiSetup()
  server.queue({ body: '{"id":"x"}' })
  expect(await failureOf(api.transcriptions.create(target(), request(), {}))).toMatchObject({
    code: 'MALFORMED_REPLY',
    params: { reason: 'no-text' },
  })
})

test('rejects values over a limit with name, limit and value, before anything is sent', async () => {
  const { api, server, target, request, file } = await apiSetup()
  const refusal = (more: Parameters<typeof request>[0]): Promise<unknown> =>
    failureOf(api.transcriptions.create(target(), request(more), {}))
  const over = (part: object): object => ({ ...file(1), ...part })
  const large = { ...file(1), ...over({ bytes: 26_214_401 }) }
  expect(await refusal({ file: large })).toMatchObject({
    code: 'FILE_TOO_LARGE',
    params: { what: 'file', limit: 26_214_400, value: 26_214_401 },
  })
  expect(await refusal({ file: { ...file(1), seconds: 30.01 } })).toMatchObject({
    code: 'AUDIO_TOO_LONG',
    params: { what: 'audio', limit: 30, value: 30.01 },
  })
  expect(await refusal({ hotwords: Array.from({ length: 101 }, String) })).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    params: { what: 'hotwords', limit: 100, value: 101 },
  })
  expect(await refusal({ prompt: 'x'.repeat(8001) })).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    params: { what: 'prompt', limit: 8000, value: 8001 },
  })
  expect(await refusal({ file: file(0) })).toMatchObject({ code: 'EMPTY_FILE' })
  for (const requestId of ['short', 'x'.repeat(65)])
    expect(
      await failureOf(api.transcriptions.create(target(), request(), { requestId })),
    ).toMatchObject({ code: 'LIMIT_EXCEEDED', params: { what: 'request_id' } })
  expect(server.requests).toEqual([])
})

test('reports a missing or changed file, without a retry', async () => {
  const { api, target, request, file, server, sleeps } = await apiSetup()
  server.always({ body: '{"text":"ok"}' })
  const gone = { ...file(10), path: '/nonexistent/file.wav' }
  const grown = { ...file(10), bytes: 9 }
  expect(
    await failureOf(api.transcriptions.create(target(), request({ file: gone }), {})),
  ).toMatchObject({ code: 'FILE_MISSING' })
  expect(
    await failureOf(api.transcriptions.create(target(), request({ file: grown }), {})),
  ).toMatchObject({ code: 'DAMAGED_FILE' })
  expect(sleeps).toEqual([])
})

test('accepts text as a stream or as a whole', async () => {
  const { api, server, target, request } = await apiSetup()
  server.always({ body: '{"text":"hello"}' })
  await api.transcriptions.create(target(), request({ stream: false }), {})
  await api.transcriptions.create(target(), request({ stream: true }), {})
  expect(server.requests.map(({ headers }) => headers['accept'])).toEqual([
    'application/json',
    'text/event-stream, application/json',
  ])
})

test('reports a limit in a sentence that fits singular and plural', async () => {
  const { api, server, target, request } = await apiSetup()
  const hotwords = Array.from({ length: 117 }, (_, n) => `word ${n}`)
  const error = await failureOf(api.transcriptions.create(target(), request({ hotwords }), {}))
  expect(error.message).toBe('hotwords: 117, the maximum is 100.')
  expect(server.requests).toEqual([])
})

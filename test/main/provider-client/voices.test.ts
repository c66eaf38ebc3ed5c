import { expect, test } from 'vitest'
import { wireDefaults } from '../../../src/shared/provider/profiles.ts'
import { apiSetup, failureOf } from './support.ts'

const clone = { voiceName: 'my_voice', input: 'Hello there.', fileId: 'file-1' }

test('sends the exact clone request, and returns voice and preview file', async () => {
  const { api, server, target, calls } = await apiSetup()
  const body = JSON.stringify({
    voice: 'voice-1',
    file_id: 'file-2',
    file_purpose: 'voice-clone-output',
    request_id: 'told',
  })
  server.always({ body })
  const answer = await api.voices.clone(target(), clone, { requestId: 'request-1' })
  await api.voices.clone(target({ modelPrefix: 'gen-' }), { ...clone, text: '样本' }, {})
  const [plain, full] = server.requests
  expect(plain).toMatchObject({
    method: 'POST',
    url: '/api/paas/v4/voice/clone',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
  })
  expect(JSON.parse(String(plain?.body))).toEqual({
    model: 'glm-tts-clone',
    voice_name: 'my_voice',
    input: 'Hello there.',
    file_id: 'file-1',
    request_id: 'request-1',
  })
  expect(JSON.parse(String(full?.body))).toMatchObject({ model: 'gen-tts-clone', text: '样本' })
  expect(answer).toMatchObject({
    value: { voice: 'voice-1', fileId: 'file-2', filePurpose: 'voice-clone-output' },
    requestId: 'told',
    raw: { status: 200, contentType: '', body },
  })
  expect(calls[0]).toMatchObject({ operation: 'voices.clone', model: 'glm-tts-clone' })
})

test('accepts a clone response with only a voice; treats one without a voice as malformed', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({ body: '{"voice":17}' }, { body: '{"file_id":"f"}' }, { body: '[]' })
  const answer = await api.voices.clone(target(), clone, {})
  expect(answer.value).toEqual({ voice: '17', fileId: null, filePurpose: null })
  for (let i = 0; i < 2; i++)
    expect(await failureOf(api.voices.clone(target(), clone, {}))).toMatchObject({
      code: 'MALFORMED_REPLY',
      params: { reason: 'no-voice' },
    })
})

test('never retries a clone that may have been received', async () => {
  const { api, server, target } = await apiSetup()
  const busy = '{"error":{"code":"1302","message":"x"}}'
  server.queue({ status: 500 }, { status: 429, body: busy }, { dropped: true })
  const codes: string[] = []
  for (let i = 0; i < 3; i++)
    codes.push((await failureOf(api.voices.clone(target(), clone, {}))).code)
  expect(codes).toEqual(['SERVER_ERROR', 'RATE_LIMITED', 'OFFLINE'])
  expect(server.requests).toHaveLength(3)
})

test('retries a clone that was never sent', async () => {
  const { api, target, calls, sleeps } = await apiSetup()
  const unreachable = target({}, { baseUrl: 'http://127.0.0.1:1/api' })
  expect(await failureOf(api.voices.clone(unreachable, clone, {}))).toMatchObject({
    code: 'OFFLINE',
  })
  expect(calls).toHaveLength(2)
  expect(sleeps).toHaveLength(1)
})

test('ends a clone request on a timeout, without a retry', async () => {
  const { api, server, target } = await apiSetup({
    tuning: { longCall: { replyMs: 150, idleMs: 150 } },
  })
  server.queue({ delayMs: 5000, body: '{"voice":"v"}' })
  expect(await failureOf(api.voices.clone(target(), clone, {}))).toMatchObject({
    code: 'TIMEOUT',
    params: { phase: 'reply' },
  })
  expect(server.requests).toHaveLength(1)
})

test('validates the fields of a clone before anything is sent', async () => {
  const { api, server, target } = await apiSetup()
  const missing = { voiceName: 'voice_name', input: 'input', fileId: 'file_id' }
  for (const [field, what] of Object.entries(missing))
    expect(
      await failureOf(api.voices.clone(target(), { ...clone, [field]: '' }, {})),
    ).toMatchObject({ code: 'LIMIT_EXCEEDED', params: { what, limit: 1, value: 0 } })
  for (const requestId of ['short', 'r'.repeat(65)])
    expect(await failureOf(api.voices.clone(target(), clone, { requestId }))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      params: { what: 'request_id' },
    })
  expect(server.requests).toEqual([])
})

test('reports a failure inside a success', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({ body: '{"error":{"code":1301,"message":"unsafe"}}' })
  expect(await failureOf(api.voices.clone(target(), clone, {}))).toMatchObject({
    code: 'CONTENT_BLOCKED',
    service: { code: '1301', message: 'unsafe' },
  })
})

test('sends filters of the list in the query and its ID as a header', async () => {
  const { api, server, target } = await apiSetup()
  server.always({ body: '{"voice_list":[]}' })
  await api.voices.list(target(), {}, { requestId: 'request-1' })
  await api.voices.list(target(), { name: '童 声&', type: 'OFFICIAL' }, {})
  await api.voices.list(
    target({ wire: { ...wireDefaults, voiceName: 'name', voiceType: 'type' } }),
    { name: 'a', type: 'PRIVATE' },
    {},
  )
  const urls = server.requests.map(({ method, url }) => `${method} ${url}`)
  expect(urls).toEqual([
    'GET /api/paas/v4/voice/list',
    'GET /api/paas/v4/voice/list?voiceName=%E7%AB%A5+%E5%A3%B0%26&voiceType=OFFICIAL',
    'GET /api/paas/v4/voice/list?name=a&type=PRIVATE',
  ])
  expect(server.requests[0]?.headers['request-id']).toBe('request-1')
  expect(server.requests[0]?.body).toHaveLength(0)
})

test('parses rows of any completeness, including one outside a list', async () => {
  const { api, server, target } = await apiSetup()
  const full = {
    voice: 'v1',
    voice_name: 'mine',
    voice_type: 'PRIVATE',
    download_url: 'https://example.org/a.wav',
    create_time: '2026-01-02 03:04:05',
  }
  const rows = [full, { voice: 'v2' }, { voice_name: 'tongtong', voice_type: 'OFFICIAL' }, {}, null]
  server.queue(
    { body: JSON.stringify({ voice_list: rows }) },
    { body: JSON.stringify({ voice_list: { voice: 'v2' } }) },
    { body: '{"voice_list":null}' },
  )
  const bare = { type: '', downloadUrl: null, createTime: null }
  const read = async (): Promise<unknown> => (await api.voices.list(target(), {}, {})).value
  expect(await read()).toEqual([
    {
      voice: 'v1',
      name: 'mine',
      type: 'PRIVATE',
      downloadUrl: 'https://example.org/a.wav',
      createTime: '2026-01-02 03:04:05',
    },
    { ...bare, voice: 'v2', name: 'v2' },
    { ...bare, voice: 'tongtong', name: 'tongtong', type: 'OFFICIAL' },
  ])
  expect(await read()).toEqual([{ ...bare, voice: 'v2', name: 'v2' }])
  expect(await read()).toEqual([])
})

test('treats an invalid list as malformed, and retries a transient failure', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({ body: '{}' }, { status: 503 }, { body: '{"voice_list":[]}' })
  expect(await failureOf(api.voices.list(target(), {}, {}))).toMatchObject({
    code: 'MALFORMED_REPLY',
    params: { reason: 'no-list' },
  })
  await api.voices.list(target(), {}, {})
  expect(server.requests).toHaveLength(3)
})

test('deletes a voice by its ID', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({ body: '{"voice":"v1","update_time":"2026-01-02 03:04:05"}' }, { body: '{}' })
  const answer = await api.voices.delete(target(), { voice: 'v1' }, { requestId: 'request-1' })
  expect(answer.value).toEqual({ voice: 'v1', updateTime: '2026-01-02 03:04:05' })
  expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/api/paas/v4/voice/delete' })
  expect(JSON.parse(String(server.requests[0]?.body))).toEqual({
    voice: 'v1',
    request_id: 'request-1',
  })
  const bare = await api.voices.delete(target(), { voice: 'v2' }, {})
  expect(bare.value).toEqual({ voice: 'v2', updateTime: null })
  expect(await failureOf(api.voices.delete(target(), { voice: '' }, {}))).toMatchObject({
    params: { what: 'voice' },
  })
})

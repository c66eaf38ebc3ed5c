import { done, eventText, events, json, requestIdLimits, untyped } from '../row.ts'
import type { Row, Run } from '../row.ts'

const file = {
  id: 'file-1',
  object: 'file',
  bytes: 44,
  created_at: 1_780_000_000,
  filename: 'a.wav',
  purpose: 'voice-clone-input',
}
const speech =
  (more: { input?: string; speed?: number; volume?: number } = {}): Run =>
  ({ api, target, out }, o) =>
    api.speech.create(target(), { input: 'hello', voice: 'tongtong', to: out('a.wav'), ...more }, o)
const upload =
  (
    bytes: number,
    name = 'a.wav',
    purpose: 'voice-clone-input' | 'agent' = 'voice-clone-input',
  ): Run =>
  ({ api, target, file: make }, o) =>
    api.files.upload(target(), { file: make(name, bytes, 'audio/wav'), purpose }, o)
const clone: Run = ({ api, target }, o) =>
  api.voices.clone(
    target(),
    { voiceName: 'mine', input: 'Hello', fileId: 'file-1', text: 'Sample' },
    o,
  )
const audioDelta = (content: string): object => ({
  choices: [{ index: 0, delta: { role: 'assistant', content, return_sample_rate: 24000 } }],
})
const stream: Run = ({ api, target, out }, o) =>
  api.speech.stream(target(), { input: 'hello', voice: 'v1', speed: 1.5, to: out('s.pcm') }, o)
const abcd = Buffer.from('abcd')
const riff = `RIFF${'\0'.repeat(40)}`

/** Rows of files, voices and speech. */
export const voiceRows: readonly Row[] = [
  {
    name: 'files.upload',
    creating: true,
    run: upload(44),
    url: '/paas/v4/files',
    texts: [['purpose', 'voice-clone-input']],
    happy: {
      name: 'a file',
      reply: json(file),
      value: { id: 'file-1', bytes: 44, filename: 'a.wav', purpose: 'voice-clone-input' },
    },
    odd: [
      {
        name: 'only its ID',
        reply: untyped({ id: 'file-1' }),
        value: { id: 'file-1', createdAt: null },
      },
    ],
    limits: [
      {
        what: 'bytes of a voice sample',
        code: 'FILE_TOO_LARGE',
        edge: upload(10 * 1024 * 1024),
        over: upload(10 * 1024 * 1024 + 1),
        limit: 10 * 1024 * 1024,
        value: 10 * 1024 * 1024 + 1,
      },
      {
        what: 'file extension',
        code: 'UNSUPPORTED_FORMAT',
        edge: upload(44, 'a.mp3'),
        over: upload(44, 'a.ogg'),
      },
      { what: 'empty', code: 'EMPTY_FILE', edge: upload(1), over: upload(0) },
    ],
  },
  {
    name: 'files.list',
    run: ({ api, target }, o) =>
      api.files.list(target(), { purpose: 'agent', limit: 5, after: 'file-0' }, o),
    url: '/paas/v4/files?purpose=agent&limit=5&after=file-0',
    happy: {
      name: 'two files',
      reply: json({ object: 'list', data: [file, file], has_more: true }),
      value: { files: [{ id: 'file-1' }, { id: 'file-1' }], hasMore: true },
    },
    odd: [
      {
        name: 'a single file, not in a list',
        reply: untyped({ data: file }),
        value: { files: [{ id: 'file-1' }], hasMore: false },
      },
    ],
    limits: [
      {
        what: 'page size',
        edge: ({ api, target }, o) => api.files.list(target(), { purpose: 'agent', limit: 100 }, o),
        over: ({ api, target }, o) => api.files.list(target(), { purpose: 'agent', limit: 101 }, o),
        limit: 100,
        value: 101,
      },
    ],
  },
  {
    name: 'files.delete',
    run: ({ api, target }, o) => api.files.delete(target(), { id: 'a/b' }, o),
    url: '/paas/v4/files/a%2Fb',
    happy: {
      name: 'deleted',
      reply: json({ id: 'a/b', object: 'file', deleted: true }),
      value: { deleted: true },
    },
    odd: [],
    limits: [],
  },
  {
    name: 'files.content',
    bytes: true,
    run: ({ api, target, out }, o) =>
      api.files.content(target(), { id: 'file-1', to: out('c.bin') }, o),
    url: '/paas/v4/files/file-1/content',
    happy: {
      name: 'bytes',
      reply: { headers: { 'content-type': 'application/octet-stream' }, body: 'abc' },
      value: { bytes: 3 },
    },
    odd: [{ name: 'no content type', reply: { body: 'abcd' }, value: { bytes: 4 } }],
    limits: [],
  },
  {
    name: 'voices.clone',
    creating: true,
    run: clone,
    url: '/paas/v4/voice/clone',
    json: {
      model: 'glm-tts-clone',
      voice_name: 'mine',
      input: 'Hello',
      file_id: 'file-1',
      text: 'Sample',
      request_id: 'request-0001',
    },
    happy: {
      name: 'a voice',
      reply: json({
        voice: 'v1',
        file_id: 'file-2',
        file_purpose: 'voice-clone-output',
        request_id: 'from-service',
      }),
      value: { voice: 'v1', fileId: 'file-2', filePurpose: 'voice-clone-output' },
    },
    odd: [
      { name: 'no preview', reply: untyped({ voice: 'v1' }), value: { voice: 'v1', fileId: null } },
    ],
    limits: requestIdLimits(clone),
  },
  {
    name: 'voices.list',
    run: ({ api, target }, o) => api.voices.list(target(), { name: '小明', type: 'PRIVATE' }, o),
    url: '/paas/v4/voice/list?voiceName=%E5%B0%8F%E6%98%8E&voiceType=PRIVATE',
    check(request) {
      if (request.headers['request-id'] !== 'request-0001')
        throw new Error('no request id in the header')
    },
    happy: {
      name: 'a private voice',
      reply: json({
        voice_list: [
          {
            voice: 'v1',
            voice_name: 'mine',
            voice_type: 'PRIVATE',
            download_url: 'https://a/b.wav',
            create_time: '2026-01-01 00:00:00',
          },
        ],
      }),
      value: [
        {
          voice: 'v1',
          name: 'mine',
          type: 'PRIVATE',
          downloadUrl: 'https://a/b.wav',
          createTime: '2026-01-01 00:00:00',
        },
      ],
    },
    odd: [
      {
        name: 'official voices with few fields; no content type',
        reply: untyped({
          voice_list: [
            { voice: 'tongtong' },
            { voice: 'u-1', voice_name: '彤彤', voice_type: 'OFFICIAL' },
          ],
        }),
        value: [
          { voice: 'tongtong', name: 'tongtong', downloadUrl: null },
          { voice: 'u-1', name: '彤彤', type: 'OFFICIAL' },
        ],
      },
      {
        name: 'a single voice, not in a list',
        reply: json({ voice_list: { voice: 'v1' } }),
        value: [{ voice: 'v1' }],
      },
      { name: 'an empty list', reply: json({ voice_list: [] }), value: [] },
    ],
    limits: [],
  },
  {
    name: 'voices.delete',
    run: ({ api, target }, o) => api.voices.delete(target(), { voice: 'v1' }, o),
    url: '/paas/v4/voice/delete',
    json: { voice: 'v1', request_id: 'request-0001' },
    happy: {
      name: 'deleted',
      reply: json({ voice: 'v1', update_time: '2026-01-01 00:00:00' }),
      value: { voice: 'v1', updateTime: '2026-01-01 00:00:00' },
    },
    odd: [],
    limits: [],
  },
  {
    name: 'speech.create',
    bytes: true,
    run: ({ api, target, out }, o) =>
      api.speech.create(
        target(),
        {
          input: 'hello',
          voice: 'v1',
          speed: 1.5,
          volume: 2,
          format: 'wav',
          watermark: false,
          to: out('s.wav'),
        },
        o,
      ),
    url: '/paas/v4/audio/speech',
    json: {
      model: 'glm-tts',
      input: 'hello',
      voice: 'v1',
      speed: 1.5,
      volume: 2,
      response_format: 'wav',
      watermark_enabled: false,
      request_id: 'request-0001',
    },
    happy: {
      name: 'audio',
      reply: { headers: { 'content-type': 'audio/wav' }, body: riff },
      value: { bytes: riff.length, format: 'wav' },
    },
    odd: [{ name: 'no content type', reply: { body: riff }, value: { bytes: riff.length } }],
    limits: [
      {
        what: 'text',
        edge: speech({ input: 'x'.repeat(1024) }),
        over: speech({ input: 'x'.repeat(1025) }),
        limit: 1024,
        value: 1025,
      },
      {
        what: 'minimum speed',
        edge: speech({ speed: 0.5 }),
        over: speech({ speed: 0.49 }),
        limit: 0.5,
        value: 0.49,
      },
      {
        what: 'maximum speed',
        edge: speech({ speed: 2 }),
        over: speech({ speed: 2.01 }),
        limit: 2,
        value: 2.01,
      },
      {
        what: 'volume',
        edge: speech({ volume: 10 }),
        over: speech({ volume: 10.1 }),
        limit: 10,
        value: 10.1,
      },
      {
        what: 'volume of 0',
        code: 'INVALID_INPUT',
        edge: speech({ volume: 0.1 }),
        over: speech({ volume: 0 }),
        value: 0,
      },
    ],
  },
  {
    name: 'speech.stream',
    run: stream,
    url: '/paas/v4/audio/speech',
    json: {
      model: 'glm-tts',
      input: 'hello',
      voice: 'v1',
      speed: 1.5,
      response_format: 'pcm',
      stream: true,
      request_id: 'request-0001',
    },
    happy: {
      name: 'chunks of PCM, the last without audio',
      reply: events(
        [audioDelta(abcd.toString('base64')), { choices: [{ index: 0, finish_reason: 'stop' }] }],
        done,
      ),
      value: { bytes: 4, format: 'pcm', sampleRate: 24000 },
    },
    odd: [
      {
        name: 'two chunks, no content type',
        reply: {
          body:
            eventText([audioDelta(abcd.toString('base64')), audioDelta(abcd.toString('base64'))]) +
            done,
        },
        value: { bytes: 8 },
      },
    ],
    limits: [
      {
        what: 'text',
        edge: ({ api, target, out }, o) =>
          api.speech.stream(target(), { input: 'x'.repeat(1024), voice: 'v1', to: out('a') }, o),
        over: ({ api, target, out }, o) =>
          api.speech.stream(target(), { input: 'x'.repeat(1025), voice: 'v1', to: out('a') }, o),
        limit: 1024,
        value: 1025,
      },
    ],
  },
  {
    name: 'connection.check',
    run: async ({ api, target }, o) => ({
      value: typeof (await api.connection.check(target(), o)).ms,
    }),
    url: '/paas/v4/voice/list',
    happy: { name: 'a response', reply: json({ voice_list: [] }), value: 'number' },
    odd: [{ name: 'no content type', reply: untyped({ voice_list: [] }), value: 'number' }],
    limits: [],
  },
]

import type { AccountView } from '../../src/shared/contract/accounts.ts'
import type { Failure } from '../../src/shared/contract/reply.ts'
import type { ActivityCall } from '../../src/shared/model/activity.ts'
import type { Job } from '../../src/shared/model/job.ts'
import type { RecordingItem, Transcript } from '../../src/shared/model/library.ts'
import { presets } from '../../src/shared/provider/profiles.ts'

/** Reference time of all fixtures: a Tuesday afternoon. */
export const now = Date.UTC(2026, 2, 17, 14, 20)
const minute = 60_000
const day = 86_400_000

export const failure = (code: Failure['code'], more: Partial<Failure> = {}): Failure => ({
  code,
  message: `The call failed with ${code}`,
  retriable: true,
  at: now,
  ...more,
})

export const accounts = (): AccountView[] => [
  {
    id: 'this-computer',
    preset: 'local',
    name: 'This computer',
    profile: presets.local,
    createdAt: now - 90 * day,
    key: { present: true, backend: 'built-in', store: '', last4: null, trouble: null },
    active: true,
  },
  {
    id: 'acc-bigmodel-1',
    preset: 'bigmodel',
    name: 'Research group',
    profile: presets.bigmodel,
    createdAt: now - 40 * day,
    key: {
      present: true,
      backend: 'keychain',
      store: 'Secret Service',
      last4: 'x7Qe',
      trouble: null,
    },
    active: false,
  },
  {
    id: 'acc-custom-1',
    preset: 'custom',
    name: 'Lab gateway',
    profile: { ...presets.custom, baseUrl: 'https://gateway.example.org/api', modelPrefix: 'lab-' },
    createdAt: now - 3 * day,
    key: {
      present: true,
      backend: 'session',
      store: 'Secret Service',
      last4: 'mm01',
      trouble: 'locked',
    },
    active: false,
  },
]

export const transcript = (
  id: string,
  itemId: string,
  text: string,
  more: Partial<Transcript> = {},
): Transcript => ({
  id,
  itemId,
  text,
  state: 'complete',
  model: 'moonshine-tiny-en',
  accountId: 'this-computer',
  accountName: 'This computer',
  requestId: `req-${id}`,
  notice: null,
  createdAt: now - 20 * minute,
  ...more,
})

export const job = (id: string, itemId: string, title: string, more: Partial<Job> = {}): Job => ({
  id,
  kind: 'transcription',
  itemId,
  title,
  state: 'done',
  progress: null,
  streamId: null,
  attempts: 1,
  accountId: 'this-computer',
  error: null,
  createdAt: now - 20 * minute,
  updatedAt: now - 19 * minute,
  nextTryAt: null,
  ...more,
})

const item = (
  id: string,
  title: string,
  createdAt: number,
  texts: readonly Transcript[],
  more: Partial<RecordingItem> = {},
): RecordingItem => ({
  id,
  kind: 'recording',
  title,
  excerpt: texts[0]?.text.slice(0, 120) ?? '',
  duration: 11,
  job: job(`job-${id}`, id, title),
  meeting: null,
  document: null,
  conversation: null,
  speech: null,
  createdAt,
  updatedAt: createdAt,
  deletedAt: null,
  media: {
    id: `media${id}`.padEnd(26, 'a').slice(0, 26),
    sha256: '9f'.repeat(32),
    bytes: 352_078,
    mime: 'audio/wav',
    name: `${title}.wav`,
    duration: 11,
    createdAt,
  },
  transcripts: texts,
  ...more,
})

const speech =
  'And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.'
const review = `The waveform loads at once now. What is left for Thursday is the search: people look for a word and want to land on the sentence, not on the file. Mara takes the snippets, Jonas the matching of Chinese words.\n\nWe agreed to keep every version of a transcript. Nobody wants to lose the first one because the second one came out worse.`

/** Recordings of the full scenario: every state a user can encounter. */
export const recordings = (): RecordingItem[] => [
  item('running', 'Standup, Tuesday', now - 2 * minute, [], {
    job: job('job-running', 'running', 'Standup, Tuesday', {
      state: 'running',
      progress: 0.4,
      streamId: 'stream-running',
      accountId: 'acc-bigmodel-1',
    }),
  }),
  item('speech', 'Inaugural address, 1961', now - 20 * minute, [
    transcript('t-speech-2', 'speech', speech),
    transcript('t-speech-1', 'speech', speech.replace('ask not', 'ask what'), {
      model: 'glm-asr-2512',
      accountId: 'acc-bigmodel-1',
      accountName: 'Research group',
      createdAt: now - 3 * day,
    }),
  ]),
  item(
    'long',
    'Lecture on the history of the printing press, part two of five',
    now - 60 * minute,
    [],
    {
      duration: 2714,
      job: job(
        'job-long',
        'long',
        'Lecture on the history of the printing press, part two of five',
        {
          state: 'failed',
          error: failure('AUDIO_TOO_LONG', {
            retriable: false,
            params: { what: 'audio', limit: 30, value: 2714 },
          }),
        },
      ),
    },
  ),
  item('waiting', 'Interview with Dr. Okafor', now - 3 * 60 * minute, [], {
    duration: 28,
    job: job('job-waiting', 'waiting', 'Interview with Dr. Okafor', {
      state: 'waiting',
      accountId: 'acc-bigmodel-1',
      error: failure('OFFLINE'),
      nextTryAt: now + 5 * minute,
    }),
  }),
  item('review', 'Design review: search', now - day, [transcript('t-review', 'review', review)]),
  item('chinese', '产品会议：搜索与导出', now - day - 50 * minute, [
    transcript(
      't-chinese',
      'chinese',
      '今天我们讨论搜索。用户输入两个字就应该找到那句话，而不是整个文件。导出放到下个月。',
      {
        model: 'glm-asr-2512',
        accountId: 'acc-bigmodel-1',
        accountName: 'Research group',
      },
    ),
  ]),
  item('german', 'Anruf Werkstatt', now - 3 * day, [
    transcript(
      't-german',
      'german',
      'Does I know it is not fair tick, the part is comment Freetag.',
      {
        notice: 'This engine hears English; the sound may be in another language.',
      },
    ),
  ]),
  item('silence', 'Room tone before the concert', now - 5 * day, [
    transcript('t-silence', 'silence', '', { state: 'no-speech' }),
  ]),
  item(
    'cut',
    'Phone note',
    now - 12 * day,
    [
      transcript('t-cut', 'cut', 'Remember to ask whether the second microphone', {
        state: 'partial',
      }),
    ],
    {
      job: job('job-cut', 'cut', 'Phone note', {
        state: 'failed',
        accountId: 'acc-bigmodel-1',
        error: failure('STREAM_CUT', {
          service: {
            status: 200,
            requestId: 'lectern-7f3a9c21',
            logId: '20260305221407a81f',
            message: 'connection reset',
          },
        }),
      }),
    },
  ),
  ...Array.from({ length: 40 }, (_, index) =>
    item(`old-${index}`, `Reading, chapter ${40 - index}`, now - (20 + index * 3) * day, [
      transcript(
        `t-old-${index}`,
        `old-${index}`,
        'The lamp was already lit when he came down the stairs.',
      ),
    ]),
  ),
]

/** Items in the Trash. */
export const binned = (): RecordingItem[] => [
  item('gone', 'Test, one two', now - 6 * day, [transcript('t-gone', 'gone', 'Test, one, two.')], {
    deletedAt: now - 2 * day,
  }),
]

const operations = ['transcriptions.create', 'transcriptions.stream', 'connection.check'] as const

/** Requests of Activity, newest first. */
export const calls = (): ActivityCall[] =>
  Array.from({ length: 240 }, (_, index): ActivityCall => {
    const failed = index % 7 === 3
    const remote = index % 3 !== 0
    const cancelled = index % 23 === 5
    return {
      id: 240 - index,
      at: now - index * 37 * minute,
      accountId: remote ? 'acc-bigmodel-1' : 'this-computer',
      accountName: remote ? 'Research group' : 'This computer',
      operation: operations[index % 3] ?? 'transcriptions.create',
      method: 'POST',
      path: '/paas/v4/audio/transcriptions',
      model: remote ? 'glm-asr-2512' : 'gen-asr-2512',
      status: cancelled ? null : failed ? 429 : 200,
      outcome: cancelled ? 'cancelled' : failed ? 'failed' : 'ok',
      errorCode: failed ? 'RATE_LIMITED' : null,
      queuedMs: 4,
      sentMs: 4,
      firstByteMs: 310,
      durationMs: 900 + ((index * 379) % 2200),
      bytesSent: 352_400,
      bytesReceived: 1840,
      promptTokens: remote ? 220 : null,
      completionTokens: remote ? 31 : null,
      totalTokens: remote ? 251 : null,
      attempt: 1,
      requestId: `lectern-${(7_000_000 + index * 7919).toString(36)}`,
      logId: remote ? `2026031714${index}` : null,
    }
  })

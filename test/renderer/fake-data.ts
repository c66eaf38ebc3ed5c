import type { AccountView } from '../../src/shared/contract/accounts.ts'
import type { Failure } from '../../src/shared/contract/reply.ts'
import type { ActivityCall } from '../../src/shared/model/activity.ts'
import type { ItemSummary, Media } from '../../src/shared/model/library.ts'
import type { MeetingBrief } from '../../src/shared/model/meeting.ts'
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

/** An item with its file and its text. */
export type FakeItem = ItemSummary & { readonly media: Media; readonly text: string }

const done: MeetingBrief = {
  state: 'stopped',
  source: 'import',
  durationMs: 11_000,
  importProgress: null,
  completeness: {
    recordedMs: null,
    writtenMs: 11_000,
    analysedMs: 11_000,
    segmentsMs: 11_000,
    transcribedMs: 11_000,
    segments: 1,
    waiting: 0,
    failed: 0,
    flagged: 0,
    gapsMs: 0,
  },
}
const busy: MeetingBrief = {
  ...done,
  completeness: { ...done.completeness, transcribedMs: 0, waiting: 1 },
}
const stuck: MeetingBrief = {
  ...done,
  completeness: { ...done.completeness, transcribedMs: 0, failed: 1 },
}

const item = (
  id: string,
  title: string,
  createdAt: number,
  text: string,
  more: Partial<FakeItem> = {},
): FakeItem => ({
  id,
  kind: 'meeting',
  title,
  excerpt: text.slice(0, 120),
  duration: 11,
  meeting: done,
  document: null,
  conversation: null,
  speech: null,
  starred: false,
  folderId: null,
  tags: [],
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
  text,
  ...more,
})

const speech =
  'And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.'
const review = `The waveform loads at once now. What is left for Thursday is the search: people look for a word and want to land on the sentence, not on the file. Mara takes the snippets, Jonas the matching of Chinese words.\n\nWe agreed to keep every version of a transcript. Nobody wants to lose the first one because the second one came out worse.`

/** Meetings of the full scenario: every state a user can encounter. */
export const meetings = (): FakeItem[] => [
  item('running', 'Standup, Tuesday', now - 2 * minute, '', { meeting: busy }),
  item('speech', 'Inaugural address, 1961', now - 20 * minute, speech),
  item(
    'long',
    'Lecture on the history of the printing press, part two of five',
    now - 60 * minute,
    '',
    { duration: 2714, meeting: { ...done, state: 'import-failed' } },
  ),
  item('waiting', 'Interview with Dr. Okafor', now - 3 * 60 * minute, '', {
    duration: 28,
    meeting: busy,
  }),
  item('review', 'Design review: search', now - day, review),
  item(
    'chinese',
    '产品会议：搜索与导出',
    now - day - 50 * minute,
    '今天我们讨论搜索。用户输入两个字就应该找到那句话，而不是整个文件。导出放到下个月。',
  ),
  item(
    'german',
    'Anruf Werkstatt',
    now - 3 * day,
    'Does I know it is not fair tick, the part is comment Freetag.',
  ),
  item('silence', 'Room tone before the concert', now - 5 * day, ''),
  item('cut', 'Phone note', now - 12 * day, '', { meeting: stuck }),
  ...Array.from({ length: 40 }, (_, index) =>
    item(
      `old-${index}`,
      `Reading, chapter ${40 - index}`,
      now - (20 + index * 3) * day,
      'The lamp was already lit when he came down the stairs.',
    ),
  ),
]

/** Items in the Trash. */
export const binned = (): FakeItem[] => [
  item('gone', 'Test, one two', now - 6 * day, 'Test, one, two.', { deletedAt: now - 2 * day }),
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

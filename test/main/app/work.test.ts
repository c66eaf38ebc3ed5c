import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Work } from '../../../src/shared/model/work.ts'
import { localAccountId } from '../../../src/shared/provider/profiles.ts'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { startScriptedServer, type ScriptedServer } from '../../fixtures/scripted-server.ts'
import { inputOf, synthesize, audioReply } from '../../fixtures/speaking-service.ts'
import { speakTexts } from '../../fixtures/spoken.ts'
import { pdfOf } from '../../local-service/fixtures/pdf.ts'
import { accountAt, hangMs, transcribedMeeting, importFile, waveOf } from './meeting-setup.ts'
import { agent, assistant } from './chat-setup.ts'

let app: TestApp
/** An account whose provider does not respond. */
let silent: string

beforeEach(async () => {
  app = await testApp({ keychain: memoryKeychain() })
  const gone = await startScriptedServer()
  await gone.close()
  silent = await accountAt(app, gone.url, 'a-key-for-nobody-0123')
  await app.call('accounts.activate', { id: silent })
})
afterEach(() => app.remove())

const all = async (): Promise<readonly Work[]> => (await app.call('work.list', {})).work
const waitingCount = async (): Promise<number> =>
  (await app.call('app.info', {})).connection.waiting

async function waiting(kind: Work['kind'], accountId = silent): Promise<Work> {
  return eventually(async () => {
    const found = (await all()).find((one) => one.kind === kind)
    expect(found).toMatchObject({ state: 'waiting', accountId })
    return found as Work
  })
}
const nothingWaits = (): Promise<void> =>
  eventually(async () => {
    expect(await all()).toEqual([])
    expect(await waitingCount()).toBe(0)
  })
const moved = async ({ kind, id }: Work): Promise<void> => {
  await app.call('work.move', { kind, id, accountId: localAccountId })
}
const saveFile = async (name: string, bytes: Uint8Array): Promise<string> => {
  const taken = await app.intake(name, bytes)
  if (!taken.ok) throw new Error(taken.error.message)
  return taken.data.media.id
}
const spoken = async (): Promise<Uint8Array> => {
  const [samples] = await speakTexts(['Ask not what your country can do for you.'], 16_000)
  return waveOf([samples ?? new Int16Array()], 16_000)
}

test(
  'continues a waiting meeting on another account, with nothing left waiting',
  async () => {
    const id = await importFile(app, 'talk.wav', await spoken(), silent)
    const work = await waiting('meeting')
    expect(work).toMatchObject({ id, placeId: id, movable: true })
    expect(await waitingCount()).toBeGreaterThan(0)
    await moved(work)
    const meeting = await transcribedMeeting(app, id)
    expect(meeting.accountId).toBe(localAccountId)
    await eventually(async () => {
      expect(await all()).toEqual([])
      expect(await waitingCount()).toBe(0)
    })
  },
  hangMs,
)

test(
  'parses a waiting document on another account, in the same version',
  async () => {
    const { document } = await app.call('documents.create', {
      mediaId: await saveFile('paper.pdf', await pdfOf([['The lamp is lit at dusk.']])),
    })
    const { version } = await app.call('documents.parse', {
      id: document.id,
      options: { pages: '' },
    })
    const work = await waiting('document')
    expect(work.id).toBe(version.id)
    await moved(work)
    await eventually(async () => {
      expect(await all()).toEqual([])
      expect(await waitingCount()).toBe(0)
    })
    const now = (await app.call('documents.get', { id: document.id })).document
    expect(now.versions).toHaveLength(1)
    expect(now.versions[0]).toMatchObject({ state: 'done', accountId: localAccountId })
  },
  hangMs,
)

test(
  'asks a waiting question on another account; one to an agent becomes a draft there',
  async () => {
    const ask = async (settings: typeof assistant | typeof agent, streamId: string) => {
      const { id } = await app.call('chats.create', { settings })
      await app.call('chats.ask', {
        id,
        text: 'What is 2 + 2?',
        attachments: [],
        streamId,
        waits: true,
      })
      return id
    }
    const id = await ask(assistant, 'work-test-0002')
    const work = await waiting('chat')
    expect(work).toMatchObject({ placeId: id, movable: true })
    await moved(work)
    await eventually(async () => {
      expect(await all()).toEqual([])
      expect(await waitingCount()).toBe(0)
    })
    expect((await app.call('chats.get', { id })).accountId).toBe(localAccountId)
    await ask(agent, 'work-test-0003')
    const theirs = await waiting('chat')
    expect(theirs).toMatchObject({ movable: false, bound: 'agent' })
    const { kind } = theirs
    const reply = await app.raw('work.move', { kind, id: theirs.id, accountId: localAccountId })
    expect(reply).toMatchObject({ ok: false, error: { code: 'REFUSED' } })
    const made = await app.call('chats.askElsewhere', {
      messageId: theirs.id,
      accountId: localAccountId,
    })
    expect(made).toMatchObject({
      accountId: localAccountId,
      settings: { kind: 'agent', knowledgeIds: [] },
      draft: { text: 'What is 2 + 2?' },
    })
    await nothingWaits()
  },
  hangMs,
)

test(
  'embeds waiting texts on another account',
  async () => {
    const text = `${JSON.stringify({ text: 'The lamp is lit at dusk.' })}\n`
    const mediaId = await saveFile('texts.jsonl', Buffer.from(text))
    const sets = [{ model: 'embedding-3', dimensions: 256 }] as const
    const run = await app.call('embeddings.start', { mediaId, sets: [...sets] })
    const work = await waiting('texts')
    expect(work).toMatchObject({ id: run.id, movable: true })
    await moved(work)
    await eventually(async () => {
      expect(await all()).toEqual([])
      expect(await waitingCount()).toBe(0)
    })
    const { runs } = await app.call('embeddings.list', {})
    expect(runs.map(({ state, accountId }) => [state, accountId])).toEqual([
      ['done', localAccountId],
      ['cancelled', silent],
    ])
  },
  hangMs,
)

/** Creates an account whose service lists these voices once, and synthesizes. */
async function speaker(
  voices: readonly (readonly [id: string, type: string])[],
): Promise<{ readonly accountId: string; readonly server: ScriptedServer }> {
  const server = await startScriptedServer()
  onTestFinished(() => server.close())
  server.always((request) =>
    request.url.endsWith('/audio/speech')
      ? audioReply(synthesize(inputOf(request)))
      : {
          body: JSON.stringify({
            voice_list: voices.map(([id, type]) => ({
              voice: id,
              voice_name: id.toUpperCase(),
              voice_type: type,
            })),
          }),
        },
  )
  const accountId = await accountAt(app, server.url, 'a-key-for-the-voices-0123')
  return { accountId, server }
}
/** Creates a narration that waits for an unresponsive account with these voices. */
async function narration(voice: string, voices: readonly (readonly [string, string])[]) {
  const own = await speaker(voices)
  await app.call('voices.list', { accountId: own.accountId })
  await own.server.close()
  const { speech } = await app.call('speech.create', {
    text: 'The lamp is lit at dusk. It burns until the morning comes.',
    settings: {
      accountId: own.accountId,
      voice: { id: voice, name: voice.toUpperCase() },
      pieceLength: 40,
      check: false,
    },
  })
  await app.call('speech.speak', { id: speech.id })
  return { id: speech.id, own: own.accountId }
}
const spokenWith = ({ requests }: ScriptedServer): readonly string[] =>
  requests
    .filter(({ url }) => url.endsWith('/audio/speech'))
    .map(({ body }) => (JSON.parse(body.toString()) as { voice: string }).voice)

test.each([
  ['with the same voice', 'jam'],
  ['that has other official voices, one of which is named before', 'luodo'],
])(
  'continues a narration with an official voice on an account %s',
  async (_which, voice) => {
    const other = await speaker([
      ['mine', 'PRIVATE'],
      ['jam', 'OFFICIAL'],
    ])
    const { id, own } = await narration(voice, [[voice, 'OFFICIAL']])
    const target = { accountId: other.accountId, choiceId: 'jam', choiceName: 'JAM' }
    await eventually(async () =>
      expect(await waiting('speech', own)).toMatchObject({ movable: true, targets: [target] }),
    )
    const here = { kind: 'speech', id, accountId: localAccountId } as const
    expect(await app.raw('work.move', here)).toMatchObject({ error: { code: 'REFUSED' } })
    const { accountId, choiceId } = target
    await app.call('work.move', { kind: 'speech', id, accountId, choiceId })
    await nothingWaits()
    expect((await app.call('speech.get', { id })).speech).toMatchObject({
      counts: { pieces: 2, done: 2, stale: 0 },
      settings: { accountId, voice: { id: 'jam', name: 'JAM' } },
    })
    expect(spokenWith(other.server)).toEqual(['jam', 'jam'])
  },
  hangMs,
)

test(
  'does not move a narration with a private voice; explains why without another account',
  async () => {
    const { id, own } = await narration('mine', [['mine', 'PRIVATE']])
    expect(await waiting('speech', own)).toMatchObject({ movable: false, bound: 'privateVoice' })
    await app.call('speech.stop', { id })
    const second = await narration('jam', [['jam', 'OFFICIAL']])
    expect(await waiting('speech', second.own)).toMatchObject({ movable: false, bound: 'noVoice' })
  },
  hangMs,
)

test(
  'sends a waiting file to a knowledge base of another account',
  async () => {
    const base = {
      name: 'Lamps',
      description: '',
      embeddingId: 3,
      contextual: false,
      background: 'blue',
      icon: 'book',
    } as const
    const source = {
      kind: 'file',
      mediaId: await saveFile('lamp.txt', Buffer.from('The lamp is lit at dusk.')),
      name: 'lamp.txt',
    } as const
    await app.call('knowledge.upload', {
      accountId: silent,
      baseId: 'away',
      sources: [source],
      slicing: { type: 1, separators: [], sentenceSize: 300 },
      parseImages: false,
    })
    expect(await waiting('upload')).toMatchObject({ movable: false, bound: 'noBase' })
    const there = await app.call('knowledge.create', { accountId: localAccountId, ...base })
    const work = await waiting('upload')
    expect(work).toMatchObject({
      movable: true,
      targets: [{ accountId: localAccountId, choiceId: there.id, choiceName: 'Lamps' }],
    })
    await app.call('work.move', {
      kind: 'upload',
      id: work.id,
      accountId: localAccountId,
      choiceId: there.id,
    })
    await nothingWaits()
    const at = { accountId: localAccountId, baseId: there.id }
    await eventually(async () => {
      const { documents } = await app.call('knowledge.documents', at)
      expect(documents.map(({ name }) => name)).toEqual(['lamp.txt'])
    })
    expect(await app.call('knowledge.uploads', { accountId: silent, baseId: 'away' })).toEqual([])
  },
  hangMs,
)

test(
  'creates a waiting index on another account',
  async () => {
    const mediaId = await saveFile('paper.pdf', await pdfOf([['The lamp is lit at dusk.']]))
    const { document } = await app.call('documents.create', { mediaId })
    await app.call('accounts.activate', { id: localAccountId })
    await app.call('documents.parse', { id: document.id, options: { pages: '' } })
    await nothingWaits()
    await app.call('semantic.begin', {
      accountId: silent,
      model: 'embedding-3',
      dimensions: 256,
      kinds: ['document'],
      since: null,
    })
    const work = await waiting('index')
    expect(work).toMatchObject({ movable: true, targets: null })
    await moved(work)
    await nothingWaits()
    const indexes = await app.call('semantic.indexes', {})
    expect(indexes.map(({ accountId, done }) => [accountId, done])).toContainEqual([
      localAccountId,
      1,
    ])
  },
  hangMs,
)

test(
  'says that the account of a waiting meeting was removed, and continues it on another one',
  async () => {
    const id = await importFile(app, 'talk.wav', await spoken(), silent)
    await waiting('meeting')
    await app.call('accounts.remove', { id: silent })
    const removed = async (): Promise<Work> =>
      eventually(async () => {
        const work = await waiting('meeting')
        expect(work).toMatchObject({ movable: true, error: { code: 'ACCOUNT_REMOVED' } })
        return work
      })
    await removed()
    await app.call('meetings.fill', { id })
    await moved(await removed())
    const meeting = await transcribedMeeting(app, id)
    expect(meeting).toMatchObject({ accountId: localAccountId, error: null })
    await nothingWaits()
  },
  hangMs,
)

test(
  'moves a job that may already be done only after the user confirmed it',
  async () => {
    const server = await startScriptedServer()
    onTestFinished(() => server.close())
    server.always(() => ({ status: 502, body: 'Bad gateway' }))
    const accountId = await accountAt(app, server.url, 'a-key-for-the-gateway-0123')
    await app.call('accounts.activate', { id: accountId })
    const mediaId = await saveFile('talk.wav', await spoken())
    await app.call('meetings.import', { mediaId })
    const work = await waiting('meeting', accountId)
    expect(work).toMatchObject({ movable: true, mayBeDone: true })
    const moving = { kind: work.kind, id: work.id, accountId: localAccountId } as const
    const refused = await app.raw('work.move', moving)
    expect(refused).toMatchObject({ error: { code: 'REFUSED', params: { what: 'mayBeDone' } } })
    await app.call('work.move', { ...moving, confirmed: true })
    await nothingWaits()
  },
  hangMs,
)

test(
  'moves a job whose next attempt has just begun as soon as that attempt ends',
  async () => {
    const server = await startScriptedServer()
    onTestFinished(() => server.close())
    server.always({ status: 503, body: 'Busy' })
    const accountId = await accountAt(app, server.url, 'a-key-for-the-gateway-0123')
    const id = await importFile(app, 'talk.wav', await spoken(), accountId)
    const work = await waiting('meeting', accountId)
    const attempt = Promise.withResolvers<void>()
    server.always(async () => {
      await attempt.promise
      return { status: 503, body: 'Busy' }
    })
    const sent = server.requests.length
    await eventually(async () => {
      expect(server.requests.length).toBeGreaterThan(sent)
      expect((await all())[0]).toMatchObject({ state: 'running' })
    })
    const moving = { kind: work.kind, id: work.id, accountId: localAccountId, confirmed: true }
    const move = app.call('work.move', moving)
    attempt.resolve()
    await move
    const meeting = await transcribedMeeting(app, id)
    expect(meeting.accountId).toBe(localAccountId)
    await nothingWaits()
  },
  hangMs,
)

test(
  'moves nothing if the attempt that has just begun succeeds',
  async () => {
    const server = await startScriptedServer()
    onTestFinished(() => server.close())
    server.always({ status: 503, body: 'Busy' })
    const accountId = await accountAt(app, server.url, 'a-key-for-the-gateway-0123')
    const id = await importFile(app, 'talk.wav', await spoken(), accountId)
    const work = await waiting('meeting', accountId)
    const attempt = Promise.withResolvers<void>()
    server.always(async () => {
      await attempt.promise
      return { headers: { 'content-type': 'application/json' }, body: '{"text":"Ask not."}' }
    })
    const sent = server.requests.length
    await eventually(() => {
      expect(server.requests.length).toBeGreaterThan(sent)
    })
    const moving = { kind: work.kind, id: work.id, accountId: localAccountId, confirmed: true }
    const move = app.call('work.move', moving)
    attempt.resolve()
    expect((await move).work).toEqual([])
    const meeting = await transcribedMeeting(app, id)
    expect(meeting.accountId).toBe(accountId)
  },
  hangMs,
)

test(
  'reports a job that failed permanently while it was to be moved, instead of moving nothing in silence',
  async () => {
    const server = await startScriptedServer()
    onTestFinished(() => server.close())
    server.always({ status: 503, body: 'Busy' })
    const accountId = await accountAt(app, server.url, 'a-key-for-the-gateway-0123')
    await app.call('accounts.activate', { id: accountId })
    const mediaId = await saveFile('talk.wav', await spoken())
    const { meeting } = await app.call('meetings.import', { mediaId })
    const work = await waiting('meeting', accountId)
    const attempt = Promise.withResolvers<void>()
    server.always(async () => {
      await attempt.promise
      return { status: 400, body: '{"error":{"code":"1214","message":"Bad audio"}}' }
    })
    const sent = server.requests.length
    await eventually(() => {
      expect(server.requests.length).toBeGreaterThan(sent)
    })
    const moving = { kind: work.kind, id: work.id, accountId: localAccountId, confirmed: true }
    const move = app.raw('work.move', moving)
    attempt.resolve()
    expect(await move).toMatchObject({ error: { code: 'NOT_FOUND' } })
    const { segments } = await app.call('meetings.lines', { id: meeting.id })
    expect(segments.map(({ state }) => state)).toEqual(['failed'])
  },
  hangMs,
)

test(
  'lists a failed transcription until it is dismissed or retried, but not in Trash',
  async () => {
    const server = await startScriptedServer()
    onTestFinished(() => server.close())
    const rejecting = { status: 400, body: '{"error":{"code":"1214","message":"Bad audio"}}' }
    server.always(rejecting)
    const accountId = await accountAt(app, server.url, 'a-key-for-the-gateway-0123')
    const id = await importFile(app, 'talk.wav', await spoken(), accountId)
    const failed = { kind: 'meeting', id, placeId: id, state: 'failed', accountId, movable: false }
    const listed = () => eventually(async () => expect(await all()).toMatchObject([failed]))
    await listed()
    expect((await all())[0]?.error?.code).toBe('INVALID_INPUT')
    await app.call('library.remove', { ids: [id] })
    expect(await all()).toEqual([])
    await app.call('library.restore', { ids: [id] })
    expect(await all()).toMatchObject([failed])
    expect(await app.call('work.dismiss', { id })).toEqual({ work: [] })
    // The meeting itself still says so.
    expect((await app.call('meetings.get', { id })).meeting.completeness.failed).toBe(1)
    await app.call('meetings.fill', { id })
    // It failed again.
    await listed()
    server.always({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'r', created: 1, model: 'ears', text: 'Ask not.' }),
    })
    await app.call('meetings.fill', { id })
    await transcribedMeeting(app, id)
    expect(await all()).toEqual([])
    expect(await app.raw('work.dismiss', { id: 'none' })).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
  },
  hangMs,
)

test(
  'indexes nothing on this computer while a recording runs',
  async () => {
    const mediaId = await saveFile('paper.pdf', await pdfOf([['The lamp is lit at dusk.']]))
    const { document } = await app.call('documents.create', { mediaId })
    await app.call('accounts.activate', { id: localAccountId })
    await app.call('documents.parse', { id: document.id, options: { pages: '' } })
    await nothingWaits()
    const { meeting } = await app.call('meetings.begin', {
      roles: ['mic'],
      sampleRate: 48_000,
      labels: ['Mic'],
    })
    await app.call('semantic.keepUp', {})
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const indexed = async () => (await app.call('semantic.indexes', {})).map(({ done }) => done)
    expect(await indexed()).toEqual([0])
    await app.call('meetings.stop', { id: meeting.id, recordedMs: 0 })
    await eventually(async () => expect((await indexed())[0]).toBeGreaterThan(0))
  },
  hangMs,
)

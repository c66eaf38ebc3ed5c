import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Work } from '../../../src/shared/model/work.ts'
import { localAccountId } from '../../../src/shared/service/profiles.ts'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import { speakTexts } from '../../fixtures/spoken.ts'
import { pdfOf } from '../../local-service/fixtures/pdf.ts'
import { accountAt, hangMs, heard, importFile, waveOf } from './meeting-bench.ts'
import { agent, assistant } from './chat-bench.ts'

let app: TestApp
/** An account whose service nobody answers for. */
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

async function waiting(kind: Work['kind']): Promise<Work> {
  return eventually(async () => {
    const found = (await all()).find((one) => one.kind === kind)
    expect(found).toMatchObject({ state: 'waiting', accountId: silent })
    return found as Work
  })
}
const moved = async ({ kind, id }: Work): Promise<void> => {
  await app.call('work.move', { kind, id, accountId: localAccountId })
}
const kept = async (name: string, bytes: Uint8Array): Promise<string> => {
  const taken = await app.intake(name, bytes)
  if (!taken.ok) throw new Error(taken.error.message)
  return taken.data.media.id
}
const spoken = async (): Promise<Uint8Array> => {
  const [sound] = await speakTexts(['Ask not what your country can do for you.'], 16_000)
  return waveOf([sound ?? new Int16Array()], 16_000)
}

test(
  'a meeting that waits for an account goes on with another, and nothing waits any more',
  async () => {
    const id = await importFile(app, 'talk.wav', await spoken(), silent)
    const work = await waiting('meeting')
    expect(work).toMatchObject({ id, placeId: id, movable: true })
    expect(await waitingCount()).toBeGreaterThan(0)
    await moved(work)
    const meeting = await heard(app, id)
    expect(meeting.accountId).toBe(localAccountId)
    await eventually(async () => {
      expect(await all()).toEqual([])
      expect(await waitingCount()).toBe(0)
    })
  },
  hangMs,
)

test(
  'a transcription that waits for an account goes on with another, once',
  async () => {
    const mediaId = await kept('talk.wav', await spoken())
    const streamId = 'work-test-0001'
    const { item } = await app.call('transcriptions.start', { mediaId, streamId })
    await moved(await waiting('transcription'))
    await eventually(async () => {
      expect(await all()).toEqual([])
      expect(await waitingCount()).toBe(0)
    })
    const found = await app.call('library.get', { id: item.id })
    expect(found.job).toMatchObject({ state: 'done', accountId: localAccountId })
  },
  hangMs,
)

test(
  'a document that waits for an account is parsed by another, in the same version',
  async () => {
    const { document } = await app.call('documents.create', {
      mediaId: await kept('paper.pdf', await pdfOf([['The lamp is lit at dusk.']])),
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
  'a question that waits for an account is asked of another; one to an agent stays with its bases',
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
    expect(theirs.movable).toBe(false)
    const { kind } = theirs
    const reply = await app.raw('work.move', { kind, id: theirs.id, accountId: localAccountId })
    expect(reply).toMatchObject({ ok: false, error: { code: 'REFUSED' } })
  },
  hangMs,
)

test(
  'texts that wait for their vectors get them from another account',
  async () => {
    const text = `${JSON.stringify({ text: 'The lamp is lit at dusk.' })}\n`
    const mediaId = await kept('texts.jsonl', Buffer.from(text))
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

import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { fetchBases } from '../../../../../src/main/domains/knowledge/service/bases.ts'
import {
  createHandover,
  type Handover,
} from '../../../../../src/main/domains/documents/service/send-to/send-to.ts'
import { createPageSet } from '../../../../../src/main/platform/bridge/events.ts'
import { createStreamHub } from '../../../../../src/main/platform/bridge/streams.ts'
import {
  createRuns,
  type Runs,
} from '../../../../../src/main/domains/playground/service/runs/runs.ts'
import { presets } from '../../../../../src/shared/provider/profiles.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import type { ScriptedReply, ScriptedServer } from '../../../../fixtures/scripted-server.ts'
import { unsavedReplies } from '../../../platform/database/full-store.ts'
import { apiSetup } from '../../../provider-client/support.ts'
import { documentSetup, type DocumentSetup } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const
const json = (value: unknown): ScriptedReply => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const ok = (data: unknown): ScriptedReply => json({ code: 200, message: 'ok', data })

interface Giving {
  readonly setup: DocumentSetup
  readonly server: ScriptedServer
  readonly handover: Handover
  readonly runs: Runs
  /** A document with pages that contain text. */
  readonly id: string
  down: boolean
  /** Accounts whose knowledge bases were reported as changed. */
  readonly reported: readonly string[]
  /** Simulates the end of the app: running work is aborted, and the next instance finds the stored state. */
  again(): Handover
}

/** A parsed document of three pages over a server with scripted knowledge bases. */
async function giving(answer: (path: string, body: string) => ScriptedReply): Promise<Giving> {
  const setup = await documentSetup()
  const id = await setup.document(3)
  await setup.finish(setup.documents.parse({ id, options: all }).id)
  const { api, server, target } = await apiSetup()
  server.always(({ url, body }) => answer(url, body.toString('utf8')))
  let serial = 0
  const ids = (): string => `given-${String((serial += 1)).padStart(8, '0')}`
  const reported: string[] = []
  const state = { down: false, reported }
  const profile = { ...presets.bigmodel, baseUrl: server.url }
  const accounts = {
    active: () => setup.store.accounts.get('account-1') ?? never(),
    target: async () =>
      target(profile, {
        accountId: 'account-1',
        baseUrl: state.down ? 'http://127.0.0.1:9' : server.url,
      }),
  }
  const shared = {
    store: setup.store,
    files: setup.files,
    api,
    clock: Date.now,
    ids,
    log: setup.log,
  }
  let handover: Handover | null = null
  const runs = createRuns({
    ...shared,
    home: setup.home,
    accounts: accounts as unknown as Parameters<typeof createRuns>[0]['accounts'],
    hub: createStreamHub(createPageSet()),
    keep: unsavedReplies().keep,
    mask: (text) => text,
    openEnd: () => 0,
    activeAccountId: () => 'account-1',
    countPages: async () => null,
    onRun: (run) => handover?.runChanged(run),
    emit: () => undefined,
  })
  const build = (): Handover => {
    handover?.shutdown()
    const made = createHandover({
      ...shared,
      accounts,
      runs,
      random: () => 0,
      after(_ms, work) {
        const timer = setTimeout(work, 5)
        return () => clearTimeout(timer)
      },
      fetchBases: (service) => fetchBases(shared, service),
      emit(event) {
        if (event.type === 'knowledge.changed') reported.push(event.accountId)
      },
    })
    handover = made
    return made
  }
  const first = build()
  onTestFinished(async () => {
    handover?.shutdown()
    await runs.shutdown()
  })
  return Object.assign(state, { setup, server, handover: first, runs, id, again: build })
}
function never(): never {
  throw new Error('no account')
}

const base = { baseId: 'base-1', baseName: 'Coast', pages: '', pageMarks: false }
const taken = (path: string): ScriptedReply => {
  if (path.includes('/upload_document/'))
    return ok({ successInfos: [{ documentId: 'd-1', fileName: 'Paper.md' }], failedInfos: [] })
  if (path.includes('/document/d-1')) return ok({ id: 'd-1', name: 'Paper.md', embedding_stat: 1 })
  return ok(null)
}

test('returns the text page by page, including user edits, as much as fits', async () => {
  const { setup, handover, id } = await giving(taken)
  const [, words] = setup.store.documents.blocks(id, { first: 2, last: 2 })
  setup.documents.edit({ id, blockId: words?.id ?? '', text: 'My own words.' })
  const whole = await handover.text({ id, pages: '', pageMarks: true, lengthsOnly: false })
  expect(whole.text).toContain('<!-- page 2 -->\n\n# Title of page 2\n\nMy own words.')
  expect(whole.text).not.toContain('Words of page 2')
  expect(whole).toMatchObject({ given: [{ first: 1, last: 3 }], without: 0, maxTokens: 100_000 })
  const first = whole.pages[0]?.tokens ?? 0
  const some = await handover.text({
    id,
    pages: '1,3',
    pageMarks: true,
    lengthsOnly: false,
    tokens: first + 1,
  })
  expect(some.given).toEqual([{ first: 1, last: 1 }])
  expect(some.pages.map(({ page }) => page)).toEqual([1, 3])
  expect(some.text).not.toContain('page 3')
  const none = await handover.text({ id, pages: '', pageMarks: true, lengthsOnly: true })
  expect(none).toEqual({ ...whole, text: '' })
  await expect(
    handover.text({ id, pages: '4', pageMarks: true, lengthsOnly: false }),
  ).rejects.toThrowError(expect.objectContaining({ code: 'BAD_REQUEST' }))
})

test('adds the text to a knowledge base as Markdown, confirmed when the provider has parsed it', async () => {
  const { setup, server, handover, runs, id } = await giving(taken)
  const { push } = await handover.push({ id, ...base })
  expect(push).toMatchObject({ baseName: 'Coast', changed: false, runId: expect.any(String) })
  await eventually(async () => {
    const { pushes } = await handover.pushes({ id })
    expect(pushes).toMatchObject([{ state: 'done', remoteId: 'd-1', changed: false, error: null }])
  })
  const upload = server.requests.find(({ url }) => url.includes('/upload_document/base-1'))
  const sent = upload?.body.toString('utf8') ?? ''
  expect(sent).toContain('filename="Paper.md"')
  expect(sent).toContain('# Title of page 1\n\nWords of page 1')
  expect(sent).toMatch(/name="knowledge_type"\r\n\r\n1\r\n/)
  const run = runs.get(push.runId ?? '')
  expect(run).toMatchObject({ operation: 'documents.upload', state: 'done' })
  const [file] = run.inputFiles
  expect(await readFile(await setup.files.path(file?.mediaId ?? ''), 'utf8')).toContain('第3页')
})

test('reports a changed text, and its successor replaces it', async () => {
  const { setup, server, handover, id } = await giving((path) =>
    path.includes('/upload_document/')
      ? ok({
          successInfos: [{ documentId: `d-${uploads(server)}`, fileName: 'Paper.md' }],
        })
      : ok({ id: 'x', embedding_stat: 1 }),
  )
  function uploads(of: ScriptedServer): number {
    return of.requests.filter(({ url }) => url.includes('/upload_document/')).length
  }
  const { push } = await handover.push({ id, ...base })
  const states = async () => (await handover.pushes({ id })).pushes
  await eventually(async () => expect((await states())[0]?.state).toBe('done'))
  const [block] = setup.store.documents.blocks(id, { first: 1, last: 1 })
  setup.documents.edit({ id, blockId: block?.id ?? '', text: 'Another title' })
  expect((await states())[0]).toMatchObject({ changed: true })
  await handover.push({ id, ...base, replaces: push.id })
  await eventually(async () =>
    expect(await states()).toMatchObject([
      { state: 'done', remoteId: 'd-2', changed: false },
      { remoteId: 'd-1', changed: true },
    ]),
  )
  await eventually(() =>
    expect(
      server.requests.filter(({ method }) => method === 'DELETE').map(({ url }) => url),
    ).toEqual([expect.stringContaining('/document/d-1')]),
  )
})

test('reports a provider refusal in its own words; a text that was not sent has failed', async () => {
  const given = await giving((path) =>
    path.includes('/upload_document/')
      ? ok({
          successInfos: [],
          failedInfos: [{ fileName: 'Paper.md', failReason: 'base is full' }],
        })
      : ok(null),
  )
  const { handover, id } = given
  await handover.push({ id, ...base })
  await eventually(async () =>
    expect((await handover.pushes({ id })).pushes[0]).toMatchObject({
      state: 'refused',
      error: { code: 'REFUSED', service: { message: 'base is full' } },
    }),
  )
  given.down = true
  await handover.push({ id, ...base })
  await eventually(async () =>
    expect((await handover.pushes({ id })).pushes[0]).toMatchObject({
      state: 'failed',
      error: { code: 'OFFLINE' },
    }),
  )
})

test('finds the run of a text again if the app ended before saving it, and continues tracking', async () => {
  const given = await giving(taken)
  const { setup, handover, id } = given
  const { push } = await handover.push({ id, ...base })
  await eventually(async () =>
    expect((await handover.pushes({ id })).pushes[0]?.state).toBe('done'),
  )
  const record = setup.store.handovers.get(push.id)
  if (!record) throw new Error('no push')
  setup.store.handovers.begin({ ...record, id: 'left', createdAt: record.createdAt - 1 })
  setup.store.handovers.begin({ ...record, id: 'never', createdAt: Date.now() + 60_000 })
  given.again().resume()
  await eventually(() => {
    expect(setup.store.handovers.get('left')).toMatchObject({ state: 'done', runId: push.runId })
    expect(setup.store.handovers.get('never')).toMatchObject({ state: 'failed', runId: null })
  })
})

test('lists knowledge bases of the provider, saves the list, and creates them by a run', async () => {
  const given = await giving((path) =>
    path.includes('/knowledge')
      ? ok({ list: [{ id: 'base-1', name: 'Coast', document_size: 2 }], total: 1, id: 'base-2' })
      : ok(null),
  )
  const { handover, runs, setup, reported } = given
  const fresh = await handover.bases({})
  expect(fresh).toMatchObject({
    bases: [{ id: 'base-1', name: 'Coast', documents: 2 }],
    failure: null,
  })
  given.down = true
  expect(await handover.bases({})).toMatchObject({
    bases: fresh.bases,
    at: fresh.at,
    failure: { code: 'OFFLINE' },
  })
  given.down = false
  const made = await handover.newBase({ name: 'Hills' })
  expect(made).toEqual({ id: 'base-2', name: 'Hills', documents: 0 })
  // Pages that show the list get the new one.
  expect(reported.at(-1)).toBe(fresh.accountId)
  const listed = setup.store.knowledge.bases.list({
    accountIds: [fresh.accountId],
    query: 'Hills',
    order: 'service',
    offset: 0,
    limit: 5,
  })
  expect(listed.bases).toMatchObject([{ id: 'base-2', name: 'Hills', documents: 0 }])
  expect(runs.list({ limit: 5 }).runs[0]).toMatchObject({
    operation: 'knowledge.create',
    state: 'done',
  })
})

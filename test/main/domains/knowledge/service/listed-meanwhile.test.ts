import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '../../../../fixtures/app.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import {
  startScriptedServer,
  type RecordedRequest,
  type ScriptedReply,
  type ScriptedServer,
} from '../../../../fixtures/scripted-server.ts'
import { startTestService, type TestService } from '../../../../local-service/fixtures/service.ts'

const root = '/llm-application/open'
const fields = {
  description: '',
  embeddingId: 11,
  contextual: false,
  background: 'green',
  icon: 'house',
} as const

let service: TestService
/** Proxy of the service: responses that the service has already sent wait here. */
let gate: ScriptedServer
let app: TestApp
let held: { readonly wanted: (path: string) => boolean; readonly until: Promise<void> } | null =
  null
let arrived = 0

/** Holds back responses to GET requests with these paths until the returned function is called. */
function hold(wanted: (path: string) => boolean): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = { wanted, until: promise }
  arrived = 0
  return () => {
    held = null
    resolve()
  }
}

/** The voices of the service: cloning needs more than a list does. */
const voices: string[] = []
function voiceAnswer({ method, body }: RecordedRequest): ScriptedReply {
  if (method === 'POST') {
    const { voice } = JSON.parse(body.toString()) as { readonly voice: string }
    voices.splice(voices.indexOf(voice), 1)
  }
  const list = voices.map((voice) => ({ voice, voice_name: voice, voice_type: 'PRIVATE' }))
  const reply = method === 'POST' ? { voice: 'deleted' } : { voice_list: list }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(reply) }
}
async function serviceAnswer({ method, url, headers, body }: RecordedRequest) {
  const reply = await service.call(url, {
    method,
    headers: { 'content-type': String(headers['content-type'] ?? '') },
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  })
  return {
    status: reply.status,
    headers: { 'content-type': reply.headers.get('content-type') ?? '' },
    body: new Uint8Array(await reply.arrayBuffer()),
  }
}

beforeAll(async () => {
  ;[service, gate, app] = await Promise.all([startTestService(), startScriptedServer(), testApp()])
  gate.always(async (request) => {
    const { method, url } = request
    const answer = url.includes('/voice/') ? voiceAnswer(request) : await serviceAnswer(request)
    if (method === 'GET' && held?.wanted(url)) {
      arrived += 1
      await held.until
    }
    return answer
  })
  const account = { preset: 'custom', name: 'Gate', baseUrl: gate.url } as const
  const { id } = await app.call('accounts.create', account)
  await app.call('accounts.setKey', { id, key: service.key })
  await app.call('accounts.activate', { id })
})
afterAll(async () => {
  await app.stop()
  await app.remove()
  await gate.close()
  await service.stop()
})

const make = (name: string) => app.call('knowledge.create', { name, ...fields })
const answered = () => eventually(async () => expect(arrived).toBeGreaterThan(0))
const isBaseList = (path: string): boolean => path.startsWith(`${root}/knowledge?`)
const isDocumentList = (path: string): boolean => path.startsWith(`${root}/document?`)

async function withDocument(name: string) {
  const { id: baseId } = await make(name)
  const add = async (file: string): Promise<string> => {
    const reply = await app.intake(file, Buffer.from(`# ${file}\n\nThe tide turns at noon.\n`))
    if (!reply.ok) throw new Error(reply.error.message)
    const mediaId = reply.data.media.id
    const sources = [{ kind: 'file', mediaId, name: file }] as const
    await app.call('knowledge.upload', { baseId, sources: [...sources], slicing: { type: 1 } })
    return eventually(async () => {
      const { documents } = await app.call('knowledge.documents', { baseId })
      const found = documents.find((one) => one.name === file && one.state === 'done')
      if (!found) throw new Error('not there yet')
      return found.id
    })
  }
  return { baseId, id: await add('First.md'), add }
}

test('preserves a knowledge base change made while the list is being fetched', async () => {
  const doomed = await make('Deleted meanwhile')
  const renamed = await make('Old name')
  const open = hold(isBaseList)
  const listing = app.call('knowledge.refresh', {})
  await answered()
  const made = await make('Created meanwhile')
  await app.call('knowledge.update', { baseId: renamed.id, fields: { name: 'New name' } })
  await app.call('knowledge.remove', { baseId: doomed.id })
  open()
  await listing
  const base = async (baseId: string) => (await app.call('knowledge.get', { baseId })).base
  expect((await base(made.id)).gone).toBeNull()
  expect((await base(renamed.id)).name).toBe('New name')
  expect((await base(doomed.id)).gone?.why).toBe('deleted')
})

test('a knowledge base deleted while it is being fetched stays deleted', async () => {
  const { id: baseId } = await make('Deleted while fetched')
  const open = hold((path) => path === `${root}/knowledge/${baseId}`)
  // An edit fetches the knowledge base again.
  const edit = app.call('knowledge.update', { baseId, fields: { description: 'Another' } })
  await answered()
  await app.call('knowledge.remove', { baseId })
  open()
  await edit
  const { base } = await app.call('knowledge.get', { baseId })
  expect(base.gone?.why).toBe('deleted')
})

test('a document deleted while the list is being fetched stays deleted', async () => {
  const { baseId, id } = await withDocument('Papers')
  const open = hold(isDocumentList)
  const listing = app.call('knowledge.refreshDocuments', { baseId })
  await answered()
  await app.call('knowledge.removeDocuments', { baseId, ids: [id] })
  open()
  await listing
  const { documents } = await app.call('knowledge.documents', { baseId })
  expect(documents.map((one) => one.gone?.why)).toEqual(['deleted'])
})

test('a document added while the list is being fetched stays in the knowledge base', async () => {
  const { baseId, add } = await withDocument('More papers')
  let lists = 0
  // Only the list request in flight: later ones pass.
  const open = hold((path) => isDocumentList(path) && (lists += 1) === 1)
  const listing = app.call('knowledge.refreshDocuments', { baseId })
  await answered()
  await add('Second.md')
  open()
  await listing
  const { documents } = await app.call('knowledge.documents', { baseId })
  expect(documents.map((one) => one.gone)).toEqual([null, null])
})

test('a voice deleted during a list request stays deleted; an older list never replaces a newer', async () => {
  voices.push('deleted')
  await app.call('voices.list', { from: 'service' })
  let lists = 0
  const open = hold((path) => path.includes('/voice/list') && (lists += 1) === 1)
  const older = app.call('voices.list', { from: 'service' })
  await answered()
  voices.push('cloned')
  await app.call('voices.list', { from: 'service' })
  await app.call('voices.remove', { voice: 'deleted' })
  open()
  await older
  const saved = await app.call('voices.list', { from: 'kept' })
  const gone = Object.fromEntries(saved.voices.map((one) => [one.voice, one.goneAt !== null]))
  expect(gone).toEqual({ cloned: false, deleted: true })
})

test('marks a missing voice as gone although the list contains another one twice, with one request', async () => {
  voices.splice(0, Infinity, 'twin', 'leaving')
  await app.call('voices.list', { from: 'service' })
  voices.splice(0, Infinity, 'twin', 'twin')
  const requested = (): number =>
    gate.requests.filter(({ url }) => url.includes('/voice/list')).length
  const before = requested()
  const { at, voices: listed } = await app.call('voices.list', { from: 'service' })
  expect(requested() - before).toBe(1)
  expect(at).not.toBeNull()
  expect(listed.find(({ voice }) => voice === 'leaving')?.goneAt).not.toBeNull()
})

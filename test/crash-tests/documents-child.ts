import { openAsBlob, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createApi } from '../../src/main/provider-client/index.ts'
import {
  createDocumentTexts,
  createDocumentWork,
} from '../../src/main/domains/documents/worker/work.ts'
import { later } from '../../src/main/long-timeout.ts'
import { createMediaFiles } from '../../src/main/platform/files/files.ts'
import { createDocuments } from '../../src/main/domains/documents/service/documents.ts'
import { createRemoteGet } from '../../src/main/provider-client/remote-get.ts'
import { createWorkQueue } from '../../src/main/work-queue/work-queue.ts'
import { openStore } from '../../src/main/library-database/open.ts'
import { limitsWith } from '../../src/shared/provider/limits.ts'
import { presets, type Account } from '../../src/shared/provider/profiles.ts'
import { workerUrl } from '../fixtures/worker-url.ts'

// Child process to be killed: parses one document to its end, and reports its findings and actions.
const [home = '', baseUrl = '', epochText = '', pdf = '', maxPages = ''] = process.argv.slice(2)
const epoch = Number(epochText)
/** Speeds up pauses of seconds tenfold: their order is tested, not their length. */
const speed = 10
const clock = (): number => Math.round(epoch + (Date.now() - epoch) * speed)
// Written synchronously: data in the pipe outlives this process.
const say = (line: string): void => void writeSync(1, `${line}\n`)

let serial = 0
const life = Date.now().toString(36)
const ids = (): string =>
  `${life}-${process.pid.toString(36)}-${String((serial += 1)).padStart(8, '0')}`
const log = {
  info: () => {},
  warn: (message: string) => say(`warning ${message}`),
  error: (message: string, fields?: object) => say(`trouble ${message} ${JSON.stringify(fields)}`),
}
const store = await openStore({ home, clock, log, workerUrl, appVersion: '0.0.0' })
// Parts of two pages: a job with many requests has many moments for a kill.
const profile = {
  ...presets.bigmodel,
  baseUrl,
  concurrency: 3,
  limits: { 'layout.pages': Number(maxPages) },
}
const account: Account = {
  id: 'scripted',
  preset: 'custom',
  name: 'Scripted',
  profile,
  createdAt: 1,
}
store.accounts.put(account)
const files = createMediaFiles({ home, clock, store })
const patience = { replyMs: 4_000, idleMs: 4_000 }
const api = createApi(
  {
    clock,
    ids,
    record: () => {},
    proxyFor: async () => null,
    extraCa: async () => [],
  },
  { longCall: patience },
)
const after = (ms: number, work: () => void) => later(ms / speed, work)
const documents = createDocuments({
  home,
  store,
  files,
  api,
  work: createDocumentWork(workerUrl('documents')),
  texts: createDocumentTexts(workerUrl('documents')),
  remote: createRemoteGet({ proxyFor: async () => null, extraCa: async () => [] }),
  accounts: {
    active: () => account,
    target: async () => ({
      accountId: account.id,
      accountName: account.name,
      baseUrl,
      key: 'scripted-key-of-no-worth',
      profile,
      limits: limitsWith(profile.limits),
    }),
  },
  clock,
  ids,
  log,
  workQueue: createWorkQueue({ clock, log, random: Math.random, after }),
  after,
  emit: () => {},
  onWaiting: () => {},
})

const stateOf = (versionId: string): string => store.documents.version(versionId)?.state ?? 'gone'
const isOver = (versionId: string): boolean =>
  stateOf(versionId) !== 'waiting' && stateOf(versionId) !== 'running'
const returned = (id: string, versionId: string): readonly number[] =>
  store.documents
    .pages(id, { versionId })
    .filter(({ state }) => state === 'returned')
    .map(({ page }) => page)
const report = (id: string, versionId: string): string =>
  JSON.stringify({
    state: stateOf(versionId),
    calls: store.documents.version(versionId)?.calls,
    pages: returned(id, versionId),
    texts: store.documents.blocks(id, { versionId }).map(({ page, content }) => [page, content]),
  })

const known = store.items.list({ kinds: ['document'], bin: false, limit: 1 }).items[0]?.id
const before = known === undefined ? undefined : store.documents.versions(known)[0]
if (known !== undefined && before) {
  if (isOver(before.id)) say(`before ${report(known, before.id)}`)
  else say(`stood ${JSON.stringify(returned(known, before.id))}`)
} else say('stood []')
await documents.resume()
let id = known
if (id === undefined) {
  const media = await files.intake((await openAsBlob(pdf)).stream(), 'Long.pdf')
  id = (await documents.create({ mediaId: media.id })).document.id
}
const options = { pages: '', crops: false, layoutPictures: false }
const version =
  before && !isOver(before.id) ? before : documents.parse({ id, options, fresh: true })
say('running')
while (!isOver(version.id)) await wait(20)
say(`over ${report(id, version.id)}`)
await documents.shutdown()
await api.close()
await store.close()

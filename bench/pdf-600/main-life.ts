import { setTimeout as sleep } from 'node:timers/promises'
import type { BridgeClient } from '../../test/fixtures/bridge-client.ts'
import type { Pauses } from '../meeting-3h/main-pauses.ts'
import { against, alone, type Row } from '../row.ts'

const pauseBudgetMs = 50
/** Maximum time for parsing before the benchmark fails, in milliseconds. */
const patienceMs = 600_000

/** A document in the app. */
export interface ImportedDocument {
  readonly id: string
  readonly mediaId: string
}

/** Adds an account at the mock server and skips the welcome screen. */
export async function prepare(
  client: BridgeClient,
  service: { readonly url: string; readonly key: string },
): Promise<void> {
  const account = await client.call('accounts.create', {
    preset: 'custom',
    name: 'Layout',
    baseUrl: service.url,
  })
  await client.call('accounts.setKey', { id: account.id, key: service.key })
  await client.call('accounts.activate', { id: account.id })
  await client.call('settings.update', { welcomed: true })
}

/** Imports a file and waits until it has been inspected. */
export async function importDocument(
  client: BridgeClient,
  name: string,
  bytes: Uint8Array,
): Promise<ImportedDocument> {
  const media = await client.intake(name, bytes)
  const { document } = await client.call('documents.create', { mediaId: media.id })
  for (;;) {
    const { document: now } = await client.call('documents.get', { id: document.id })
    if (now.facts) return { id: document.id, mediaId: media.id }
    await sleep(50)
  }
}

/** Parses all pages and waits for the results. */
export async function parsed(client: BridgeClient, id: string): Promise<void> {
  const options = { pages: '', crops: false, layoutPictures: false }
  await client.call('documents.parse', { id, options, fresh: false })
  const until = performance.now() + patienceMs
  for (;;) {
    const version = (await client.call('documents.get', { id })).document.versions[0]
    if (version?.state === 'done') return
    if (version && version.state !== 'waiting' && version.state !== 'running')
      throw new Error(`the parse ended ${version.state}: ${JSON.stringify(version.error)}`)
    if (performance.now() > until) throw new Error('the pages were not parsed')
    await sleep(250)
  }
}

/** The rows for one phase of main's work. */
export function pauseRows(what: string, pauses: Pauses, idle: Pauses): readonly Row[] {
  return [
    against(
      { name: `main's longest uninterrupted work: ${what}`, figure: pauses.byWork, unit: 'ms' },
      'budget',
      pauseBudgetMs,
    ),
    alone({ name: `main's work over 50 ms: ${what}`, figure: pauses.long, unit: 'times' }),
    against(
      { name: `main's longest pause: ${what}`, figure: pauses.longest, unit: 'ms' },
      'doing nothing for 10 s',
      idle.longest,
    ),
  ]
}

/** Loads thumbnails of all pages, as an open viewer does; then reads every page with its blocks. */
export async function readThrough(client: BridgeClient, id: string, pages: number): Promise<void> {
  for (let first = 1; first <= pages; first += 20)
    await client.call('documents.pages', { id, first, last: Math.min(pages, first + 19) })
  for (const words of ['meeting', '记录', 'qua', 'cor'])
    await client.call('library.search', { query: words, limit: 30 })
}

import { onTestFinished } from 'vitest'
import type { AppError } from '../../../../../src/main/errors.ts'
import { readReplyText } from '../../../../../src/main/domains/documents/worker/reading/reply.ts'
import { createMediaFiles, type MediaFiles } from '../../../../../src/main/platform/files/files.ts'
import type { RemoteDeps } from '../../../../../src/main/platform/security/remote-fetch.ts'
import { createDocuments } from '../../../../../src/main/domains/documents/service/documents.ts'
import { createWorkQueue } from '../../../../../src/main/work-queue/work-queue.ts'
import type { DocumentsService } from '../../../../../src/main/domains/documents/service/document-service-types.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import type { DocumentNews, ParsedPage } from '../../../../../src/shared/model/document.ts'
import { presets, type Account } from '../../../../../src/shared/provider/profiles.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import type { ScriptedReply, ScriptedServer } from '../../../../fixtures/scripted-server.ts'
import { apiSetup } from '../../../provider-client/support.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'
import { paperBytes, paperWorker, readPaper, type Paper, type PaperWorker } from './paper.ts'

/** A request to the provider: pages and options. */
export interface RequestedPart extends Paper {
  readonly crops: boolean
  readonly visualisation: boolean
}

/** Documents over a real store and client, against a scripted server, with a clock and timers that the test moves. */
export interface DocumentSetup {
  readonly home: string
  readonly server: ScriptedServer
  readonly worker: PaperWorker
  readonly requests: RequestedPart[]
  /** Maximum number of requests in flight so far. */
  readonly maxInFlight: () => number
  store: Store
  files: MediaFiles
  documents: DocumentsService
  now: number
  readonly timers: { readonly at: number; readonly work: () => void }[]
  readonly news: DocumentNews[]
  readonly pageNews: { readonly versionId: string; readonly pages: readonly ParsedPage[] }[]
  readonly waiting: number[]
  readonly log: ReturnType<typeof memoryLog>
  keyError: AppError | null
  /** Whether the provider is unreachable. */
  down: boolean
  remote: RemoteDeps
  answer: (part: RequestedPart) => ScriptedReply | Promise<ScriptedReply>
  account(change: Partial<Account>): void
  /** Creates a saved file with the given number of pages. */
  paper(paper: Partial<Paper> & { readonly last: number }): Promise<string>
  /** Creates a document with the given number of pages. */
  document(pages: number): Promise<string>
  /** Requested pages, in the order of requests: `1-24`. */
  sent(): readonly string[]
  states(versionId: string): string
  quiet(): Promise<void>
  tick(): Promise<void>
  finish(versionId: string, ticks?: number): Promise<void>
  /** Simulates an app restart. */
  restart(): Promise<void>
}

/** A page of a response. */
const pageOf = (page: number): object[] => [
  block(0, 'doc_title', `Title of page ${page}`, [100, 50, 900, 120]),
  block(1, 'text', `Words of page ${page}, 第${page}页的文字。`, [100, 150, 900, 1100]),
]
const block = (index: number, label: string, content: string, bbox: readonly number[]): object => ({
  index,
  label: label === 'doc_title' ? 'text' : label,
  native_label: label,
  bbox_2d: bbox,
  content,
  width: 1200,
  height: 1600,
})

/** The response for pages; by default all that were requested. */
export function layoutOf(part: Paper, pages: readonly number[] = pagesOf(part)): ScriptedReply {
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      id: 'layout-1',
      created: 1,
      model: 'glm-ocr',
      md_results: pages.map((page) => `# Title of page ${page}`).join('\n\n'),
      layout_details: pages.map(pageOf),
      data_info: {
        num_pages: pages.length,
        pages: pages.map(() => ({ width: 1200, height: 1600 })),
      },
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      request_id: 'request-1',
    }),
  }
}

/** A response with one more block on its first page: a figure that the provider hosts at a URL. */
export function withImage(reply: ScriptedReply, address: string): ScriptedReply {
  const layout = JSON.parse(String(reply.body)) as { readonly layout_details: object[][] }
  layout.layout_details[0]?.push({
    index: 9,
    label: 'image',
    native_label: 'image',
    bbox_2d: [100, 1200, 900, 1500],
    content: address,
    width: 1200,
    height: 1600,
  })
  return { ...reply, body: JSON.stringify(layout) }
}

/** All pages of a paper. */
export const pagesOf = ({ first, last }: Paper): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)

/** A failure as JSON. */
export const failure = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): ScriptedReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error: { code, message: 'no' } }),
})

/** Creates the setup for one test. */
export async function documentSetup(
  options: { readonly places?: number; readonly limits?: Readonly<Record<string, number>> } = {},
): Promise<DocumentSetup> {
  const { api, server, target } = await apiSetup()
  const { home, remove } = temporaryHome()
  const log = memoryLog()
  const worker = paperWorker()
  const requests: RequestedPart[] = []
  let serial = 0
  let generation = 0
  let flying = 0
  let maxInFlight = 0
  const ids = (): string => `id-${String((serial += 1)).padStart(12, '0')}`
  const profile = {
    ...presets.bigmodel,
    baseUrl: server.url,
    concurrency: options.places ?? 3,
    limits: options.limits ?? {},
  }
  let account: Account = {
    id: 'account-1',
    preset: 'custom',
    name: 'Test account',
    profile,
    createdAt: 1,
  }
  const moving = {
    now: Date.UTC(2026, 0, 1),
    timers: [] as DocumentSetup['timers'],
    keyError: null as AppError | null,
    down: false,
    answer: (one: RequestedPart): ScriptedReply | Promise<ScriptedReply> => layoutOf(one),
    remote: {
      resolve: () => Promise.reject(new Error('no names here')),
      get: () => Promise.reject(new Error('no network here')),
    } as RemoteDeps,
  }
  const open = async (): Promise<Store> => {
    const store = await openStore({ ...storeOptions(home), clock: () => moving.now })
    store.accounts.put(account)
    return store
  }
  const build = (store: Store, files: MediaFiles): DocumentsService => {
    const mine = (generation += 1)
    const ifCurrent = (work: () => void): void => {
      if (mine === generation) work()
    }
    const clock = (): number => moving.now
    const after = (ms: number, work: () => void): (() => void) => {
      const timer = { at: moving.now + ms, work }
      moving.timers.push(timer)
      moving.timers.sort((one, other) => one.at - other.at)
      return () => {
        const place = moving.timers.indexOf(timer)
        if (place >= 0) moving.timers.splice(place, 1)
      }
    }
    return createDocuments({
      home,
      store,
      files,
      api,
      work: worker,
      texts: { readReply: async (text) => readReplyText(text) },
      remote: {
        resolve: (host) => setup.remote.resolve(host),
        get: (url, how) => setup.remote.get(url, how),
      },
      accounts: {
        active: () => account,
        async target(id) {
          if (setup.keyError) throw setup.keyError
          return target(profile, {
            accountId: id,
            baseUrl: setup.down ? 'http://127.0.0.1:9' : server.url,
          })
        },
      },
      clock,
      ids,
      log,
      workQueue: createWorkQueue({ clock, log, random: () => 0.5, after }),
      after,
      emit: (event) =>
        ifCurrent(() => {
          if (event.type === 'document.changed') setup.news.push(event.document)
          if (event.type === 'document.pages') setup.pageNews.push(event)
        }),
      onWaiting: (count) => ifCurrent(() => void setup.waiting.push(count)),
    })
  }
  server.always(async (request) => {
    const body = JSON.parse(request.body.toString('utf8')) as Record<string, unknown>
    const file = String(body['file'])
    const paper = readPaper(Buffer.from(file.slice(file.indexOf(',') + 1), 'base64'))
    const one = {
      ...paper,
      crops: body['return_crop_images'] === true,
      visualisation: body['need_layout_visualization'] === true,
    }
    requests.push(one)
    flying += 1
    maxInFlight = Math.max(maxInFlight, flying)
    const reply = await setup.answer(one)
    setTimeout(() => (flying -= 1), reply.delayMs ?? 0)
    return reply
  })

  const store = await open()
  const files = createMediaFiles({ home, clock: () => moving.now, store })
  const setup: DocumentSetup = Object.assign(moving, {
    home,
    server,
    worker,
    requests,
    maxInFlight: () => maxInFlight,
    store,
    files,
    documents: build(store, files),
    news: [],
    pageNews: [],
    waiting: [],
    log,
    account(change) {
      account = { ...account, ...change }
      setup.store.accounts.put(account)
    },
    async paper(paper) {
      // Equal content is the same file: each of the test's papers must differ.
      const bytes = Buffer.concat([paperBytes(paper), Buffer.from(`% ${ids()}\n`)])
      const media = await setup.files.intake(new Blob([bytes]).stream(), 'Paper.pdf', bytes.length)
      return media.id
    },
    async document(pages) {
      const mediaId = await setup.paper({ last: pages, bytes: pages * 1000 })
      return (await setup.documents.create({ mediaId })).document.id
    },
    sent: () => requests.map(({ first, last }) => `${first}-${last}`),
    states(versionId) {
      const documentId = setup.store.documents.version(versionId)?.documentId ?? ''
      const pages = setup.store.documents
        .pages(documentId, { versionId })
        .filter((page) => page.versionId === versionId)
      const counts = new Map<string, number>()
      for (const { state } of pages) counts.set(state, (counts.get(state) ?? 0) + 1)
      return Array.from(counts, ([state, count]) => `${state} ${count}`)
        .toSorted()
        .join(', ')
    },
    async quiet() {
      let idleChecks = 0
      await eventually(async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        idleChecks = setup.documents.busy() ? 0 : idleChecks + 1
        if (idleChecks < 3) throw new Error('still busy')
      })
    },
    async tick() {
      const timer = setup.timers.shift()
      if (!timer) throw new Error('nothing is planned')
      setup.now = Math.max(setup.now, timer.at)
      timer.work()
      await setup.quiet()
    },
    async finish(versionId, ticks = 200) {
      await setup.quiet()
      for (let n = 0; n < ticks; n++) {
        const state = setup.store.documents.version(versionId)?.state
        if (state !== 'waiting' && state !== 'running') return
        await setup.tick()
      }
    },
    async restart() {
      generation += 1
      setup.timers.length = 0
      await setup.documents.shutdown()
      await setup.store.close()
      setup.store = await open()
      setup.files = createMediaFiles({ home, clock: () => moving.now, store: setup.store })
      setup.documents = build(setup.store, setup.files)
      await setup.documents.resume()
    },
  } satisfies Omit<DocumentSetup, keyof typeof moving>)
  onTestFinished(async () => {
    await setup.documents.shutdown()
    await setup.store.close()
    remove()
  })
  return setup
}

import { expect, test } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
import {
  createUploads,
  type Uploads,
  type UploadsDeps,
} from '../../../../../src/main/domains/knowledge/service/uploads.ts'
import { createWorkQueue } from '../../../../../src/main/work-queue/work-queue.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'

const ref = { accountId: 'a', baseId: 'b' }
const url = 'https://example.org/paper.pdf'
const order: Parameters<Uploads['add']>[0] = {
  sources: [{ kind: 'url', url }],
  slicing: { type: 1, separators: [], sentenceSize: 300 },
  parseImages: false,
}

const offline = new AppError('OFFLINE', 'Refused', {
  retriable: true,
  params: { reason: 'refused' },
})

function setup(
  store: Store,
  script: {
    list(page: number): Promise<readonly { readonly id: string; readonly name: string }[]>
    upload(): Promise<string>
    taken?(): Promise<void>
  },
) {
  const sent = { uploads: 0 }
  const api = {
    documents: {
      list: async (_: unknown, { page }: { readonly page: number }) => {
        const documents = await script.list(page)
        return { value: { documents, total: documents.length } }
      },
      uploadUrls: async (_: unknown, __: unknown, { signal }: { readonly signal: AbortSignal }) => {
        sent.uploads += 1
        const aborted = new Promise<never>((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new AppError('CANCELLED', 'Stopped'))),
        )
        const documentId = await Promise.race([script.upload(), aborted])
        return { value: { accepted: [{ documentId }], refused: [] } }
      },
    },
  }
  let serial = 0
  const clock = (): number => 5
  const log = { info() {}, warn() {}, error() {} }
  const after = () => () => undefined
  const uploads = createUploads(
    {
      store,
      api,
      files: { path: async () => '/nowhere' },
      accounts: {
        target: async () => ({ accountId: 'a', limits: { list: { pageSize: 100 } } }),
      },
      clock,
      ids: () => `upload-${++serial}`,
      log,
      workQueue: createWorkQueue({ clock, log, random: () => 0, after }),
      emit() {},
      setWaiting() {},
    } as unknown as UploadsDeps,
    script.taken ?? (async () => undefined),
  )
  return { uploads, sent }
}

async function inStore(work: (store: Store) => Promise<void>): Promise<void> {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, work)
  } finally {
    folder.remove()
  }
}
const row = (store: Store) => store.knowledge.uploads.ofBase('a', 'b', 10)[0]

test('an accepted upload stays accepted, even if follow-up requests fail', () =>
  inStore(async (store) => {
    const { uploads, sent } = setup(store, {
      list: async () => [],
      upload: async () => 'd',
      taken: () => Promise.reject(offline),
    })
    uploads.add(order, ref)
    await expect.poll(() => uploads.busy()).toBe(false)
    uploads.accountReady('a')
    await expect.poll(() => uploads.busy()).toBe(false)
    expect(row(store)).toMatchObject({ state: 'taken', documentId: 'd', error: null })
    expect(sent.uploads).toBe(1)
  }))

test('checks for an upload interrupted by the end of the app until it gets an answer', () =>
  inStore(async (store) => {
    const cut = setup(store, { list: async () => [], upload: () => new Promise(() => undefined) })
    cut.uploads.add(order, ref)
    await expect.poll(() => row(store)?.state).toBe('sending')
    let reachable = false
    const { uploads, sent } = setup(store, {
      list: async () => {
        if (!reachable) throw offline
        return [{ id: 'd', name: url }]
      },
      upload: async () => 'twice',
    })
    uploads.resume()
    await expect.poll(() => row(store)?.state).toBe('waiting')
    reachable = true
    uploads.accountReady('a')
    await expect.poll(() => row(store)?.state).toBe('taken')
    expect(row(store)?.documentId).toBe('d')
    expect(sent.uploads).toBe(0)
  }))

test('checks every page for a possibly received upload, to avoid duplicates', () =>
  inStore(async (store) => {
    const cut = setup(store, { list: async () => [], upload: () => new Promise(() => undefined) })
    cut.uploads.add(order, ref)
    await expect.poll(() => row(store)?.state).toBe('sending')
    const others = Array.from({ length: 100 }, (_, n) => ({ id: `${n}`, name: `${url}?${n}` }))
    const { uploads, sent } = setup(store, {
      list: async (page) => (page === 1 ? others : [{ id: 'd', name: url }]),
      upload: async () => 'twice',
    })
    uploads.resume()
    await expect.poll(() => row(store)?.state).toBe('taken')
    expect({ document: row(store)?.documentId, ...sent }).toEqual({ document: 'd', uploads: 0 })
  }))

test('does not send a removed upload again when it is stopped', () =>
  inStore(async (store) => {
    const never = (): Promise<never> => new Promise(() => undefined)
    const { uploads, sent } = setup(store, { list: async () => [], upload: never })
    const [upload] = uploads.add(order, ref)
    await expect.poll(() => sent.uploads).toBe(1)
    await uploads.remove(ref, [upload?.id ?? ''])
    await expect.poll(() => uploads.busy()).toBe(false)
    expect(row(store)).toBeUndefined()
    expect(sent.uploads).toBe(1)
  }))

test('says for every waiting upload why its account accepts nothing, and lists them all as waiting', () =>
  inStore(async (store) => {
    const rejected = new AppError('KEY_REJECTED', 'The key was rejected')
    const { uploads, sent } = setup(store, {
      list: async () => [],
      upload: () => Promise.reject(rejected),
    })
    const sources = [1, 2, 3, 4].map((n) => ({ kind: 'url' as const, url: `${url}?${n}` }))
    uploads.add({ ...order, sources }, ref)
    await expect.poll(() => uploads.busy()).toBe(false)
    expect(sent.uploads).toBeLessThan(3)
    const shown = uploads.list(ref)
    expect(shown.map(({ state, error }) => [state, error?.code])).toEqual(
      sources.map(() => ['waiting', 'KEY_REJECTED']),
    )
    expect(uploads.open().map(({ state }) => state)).toEqual(sources.map(() => 'waiting'))
  }))

test('tries the account of a new upload at once, although it rejected the one before', () =>
  inStore(async (store) => {
    let isFixed = false
    const { uploads } = setup(store, {
      list: async () => [],
      upload: async () => {
        if (isFixed) return 'd'
        throw new AppError('KEY_REJECTED', 'The key was rejected')
      },
    })
    uploads.add(order, ref)
    await expect.poll(() => row(store)?.error?.code).toBe('KEY_REJECTED')
    await expect.poll(() => uploads.busy()).toBe(false)
    isFixed = true
    uploads.add({ ...order, sources: [{ kind: 'url', url: `${url}?2` }] }, ref)
    await expect.poll(() => row(store)?.state).toBe('taken')
  }))

test('does not wait for ever for a follow-up request when everything is erased', () =>
  inStore(async (store) => {
    const never = (): Promise<never> => new Promise(() => undefined)
    const { uploads } = setup(store, {
      list: async () => [],
      upload: async () => 'd',
      taken: never,
    })
    uploads.add(order, ref)
    await expect.poll(() => row(store)?.state).toBe('taken')
    await uploads.stopAll()
    expect(uploads.busy()).toBe(true)
  }))

test('sends nothing again while everything is being erased', () =>
  inStore(async (store) => {
    const never = (): Promise<never> => new Promise(() => undefined)
    const { uploads, sent } = setup(store, { list: async () => [], upload: never })
    uploads.add(order, ref)
    await expect.poll(() => sent.uploads).toBe(1)
    await uploads.stopAll()
    await expect.poll(() => uploads.busy()).toBe(false)
    expect(sent.uploads).toBe(1)
    expect(row(store)).toBeUndefined()
  }))

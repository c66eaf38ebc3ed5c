import { expect, test } from 'vitest'
import { useDocument } from '../../../../src/renderer/src/domains/documents/documents-store.ts'
import { usePageNotes } from '../../../../src/renderer/src/domains/documents/versions/use-page-notes.ts'
import { useVersions } from '../../../../src/renderer/src/domains/documents/versions/document-versions-store.ts'
import { useToasts } from '../../../../src/renderer/src/kit/toasts.ts'
import type { CurrentPage } from '../../../../src/shared/contract/documents.ts'
import type {
  Block,
  DocumentItem,
  DocumentVersion,
  VersionCoverage,
} from '../../../../src/shared/model/document.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

const pages = 4
const version = (number: number): DocumentVersion => ({
  id: `v${number}`,
  documentId: 'd',
  number,
  options: { pages: '', crops: false, layoutPictures: false },
  accountId: 'a',
  accountName: 'A',
  engine: null,
  state: 'done',
  counts: { asked: pages, returned: pages, failed: 0, waiting: 0, cancelled: 0 },
  calls: 1,
  priority: 0,
  error: null,
  createdAt: 1,
  endedAt: 2,
})
const item: DocumentItem = {
  id: 'd',
  title: 'D',
  mediaId: 'm',
  name: 'd.pdf',
  facts: {
    mime: 'application/pdf',
    bytes: 1,
    pages,
    sizes: Array.from({ length: pages }, () => ({ width: 1, height: 1 })),
    locked: 'no',
    textChars: [],
  },
  unlocked: false,
  versions: [version(2), version(1)],
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
}
const page = (number: number, own: Partial<CurrentPage> = {}): CurrentPage => ({
  page: number,
  state: 'returned',
  blocks: 1,
  raster: null,
  error: null,
  versionId: 'v1',
  ...own,
})
const block = (number: number, content: string): Block => ({
  id: `${content} ${number}`,
  page: number,
  order: 0,
  kind: 'text',
  label: 'text',
  nativeLabel: null,
  content,
  edited: null,
  box: null,
  raw: null,
  guessed: false,
})
const covered = (versionId: string, own: Partial<VersionCoverage>): VersionCoverage => ({
  versionId,
  returned: [],
  failed: [],
  cancelled: [],
  waiting: [],
  stands: [],
  chosen: [],
  edited: [],
  ...own,
})
const span = (first: number, last = first) => ({ first, last })

/** Main process with version 1 of all pages and version 2 of page 2; counts page requests. */
function opened() {
  const one = rendererSetup()
  const state = { currentVersion: 'v2', reads: 0, chosen: [] as unknown[] }
  one.main.answer('documents.get', () => ({ document: item, place: null, preview: null }))
  one.main.answer('documents.coverage', () => ({
    versions: [
      covered('v2', {
        returned: [span(2)],
        stands: state.currentVersion === 'v2' ? [span(2)] : [],
      }),
      covered('v1', {
        returned: [span(1, 4)],
        stands: state.currentVersion === 'v2' ? [span(1), span(3, 4)] : [span(1, 4)],
        chosen: state.currentVersion === 'v2' ? [] : [span(2)],
      }),
    ],
  }))
  one.main.answer(
    'documents.pages',
    ({ first, last, versionId }: { first: number; last: number; versionId?: string }) => {
      state.reads += 1
      const all = Array.from({ length: last - first + 1 }, (_, at) => first + at)
      const of = (number: number): string =>
        versionId ?? (number === 2 ? state.currentVersion : 'v1')
      const held = all.filter((number) => of(number) === 'v1' || number === 2)
      return {
        pages: held.map((number) => page(number, { versionId: of(number) })),
        blocks: held.map((number) => block(number, of(number))),
        images: {},
      }
    },
  )
  one.main.answer('documents.choose', (request: { pages: number[]; versionId: string | null }) => {
    state.chosen.push(request)
    state.currentVersion = request.versionId ?? 'v2'
    return {}
  })
  return { ...one, state }
}

test('requests a separately viewed version once, even if it lacks pages', async () => {
  const { run, settle, state } = opened()
  const document = run(() => useDocument())
  await document.open('d')
  document.need(1, 4)
  await settle()
  expect(document.blocks(2)?.[0]?.content).toBe('v2')
  const before = state.reads
  document.showOnly('v2')
  await settle()
  expect(state.reads).toBe(before + 1)
  expect(document.blocks(2)?.[0]?.content).toBe('v2')
  expect(document.blocks(1)).toEqual([])
  expect(document.page(1)?.versionId).toBeNull()
  document.showOnly(null)
  await settle()
  expect(document.blocks(1)?.[0]?.content).toBe('v1')
})

test('loads pages of both sides, whichever was scrolled last', async () => {
  const { run, settle, main } = opened()
  const document = run(() => useDocument())
  await document.open('d')
  document.need(4, 4, 'text')
  document.need(1, 1)
  await settle()
  main.app({
    type: 'document.pages',
    id: 'd',
    versionId: 'v3',
    pages: [page(4, { versionId: 'v3', blocks: 9 })],
  })
  main.answer('documents.pages', ({ first }: { first: number }) => ({
    pages: [page(first, { versionId: 'v3' })],
    blocks: [block(first, 'v3')],
  }))
  await settle()
  expect(document.blocks(4)?.[0]?.content).toBe('v3')
})

test('does not lose page events while pages are being read', async () => {
  const { run, settle, main } = opened()
  let answer: ((value: unknown) => void) | null = null
  main.answer('documents.pages', () => ({
    pages: [page(1, { state: 'sent', blocks: 0, versionId: 'v1' })],
    blocks: [],
  }))
  const document = run(() => useDocument())
  await document.open('d')
  document.need(1, 1)
  await settle()
  expect(document.page(1)?.state).toBe('sent')
  // The response to this read is older than the event before it.
  const request = main.request.bind(main)
  main.request = (route, payload) =>
    route === 'documents.pages'
      ? new Promise((resolve) => (answer = resolve as (value: unknown) => void))
      : request(route, payload)
  main.app({
    type: 'document.pages',
    id: 'd',
    versionId: 'v1',
    pages: [page(1, { state: 'waiting', blocks: 0 })],
  })
  await settle()
  main.app({ type: 'document.pages', id: 'd', versionId: 'v1', pages: [page(1)] })
  main.request = (route, payload) =>
    route === 'documents.pages'
      ? Promise.resolve({ ok: true as const, data: { pages: [page(1)], blocks: [block(1, 'v1')] } })
      : request(route, payload)
  const old = { pages: [page(1, { state: 'sent', blocks: 0 })], blocks: [] }
  ;(answer as ((value: unknown) => void) | null)?.({ ok: true, data: old })
  await settle()
  expect(document.page(1)?.state).toBe('returned')
  expect(document.blocks(1)?.[0]?.content).toBe('v1')
})

test('chooses a version of a page, and undo restores the newest one', async () => {
  const { run, settle, state } = opened()
  const document = run(() => useDocument())
  const versions = run(() => useVersions())
  const toasts = run(() => useToasts())
  await document.open('d')
  document.need(1, 4)
  await settle()
  await versions.choose([span(2)], 'v1')
  await settle()
  expect(state.chosen).toEqual([{ id: 'd', pages: [2], versionId: 'v1' }])
  expect(document.blocks(2)?.[0]?.content).toBe('v1')
  expect(toasts.toasts.map(({ key }) => key)).toEqual(['documentVersions.chosen'])
  toasts.actNewest()
  await settle()
  expect(state.chosen.at(-1)).toEqual({ id: 'd', pages: [2], versionId: null })
  expect(document.blocks(2)?.[0]?.content).toBe('v2')
})

test('shows two versions of a page side by side, the older one on the left', async () => {
  const { run, settle } = opened()
  const document = run(() => useDocument())
  const versions = run(() => useVersions())
  await document.open('d')
  await settle()
  versions.compare(2)
  expect(versions.comparing).toEqual({ page: 2, leftId: 'v1', rightId: 'v2' })
  versions.comparing = null
  versions.compare(1)
  expect(versions.comparing).toBeNull()
})

test('shows in the page header that it contains an edit, until the edit is reverted', async () => {
  const { run, settle, main } = opened()
  const document = run(() => useDocument())
  await document.open('d')
  document.need(1, 4)
  await settle()
  const { noteOf } = run(() => usePageNotes())
  const own = (): number[] => [1, 2, 3, 4].filter((number) => noteOf(number).own)
  expect(own()).toEqual([])
  const edited = (text: string | null) => ({ block: { ...block(3, 'v1'), edited: text } })
  main.answer('documents.edit', ({ text }: { text: string | null }) => edited(text))
  await document.edit('v1 3', 'My words')
  expect(own()).toEqual([3])
  await document.edit('v1 3', null)
  expect(own()).toEqual([])
})

test('reports unreadable pages, and reads them when requested again', async () => {
  const { run, settle, main } = opened()
  const document = run(() => useDocument())
  await document.open('d')
  const request = main.request.bind(main)
  main.request = (route, payload) =>
    route === 'documents.pages'
      ? Promise.resolve({ ok: false as const, error: failure('DISK_FULL') })
      : request(route, payload)
  document.need(1, 2)
  await settle()
  expect(document.failure?.code).toBe('DISK_FULL')
  expect(document.document?.id).toBe('d')
  main.request = request
  await document.load()
  await settle()
  expect(document.failure).toBeNull()
  expect(document.blocks(1)?.[0]?.content).toBe('v1')
})

test('reverts a rejected name without reverting other changes', async () => {
  const { run, settle, main } = opened()
  const document = run(() => useDocument())
  await document.open('d')
  let refuse = (): void => {}
  const request = main.request.bind(main)
  main.request = (route, payload) =>
    route === 'library.rename'
      ? new Promise((resolve) => {
          refuse = () => resolve({ ok: false as const, error: failure('READ_ONLY') })
        })
      : request(route, payload)
  const renaming = document.rename('Another')
  expect(document.document?.title).toBe('Another')
  await settle()
  const { facts: _, ...news } = item
  main.app({ type: 'document.changed', document: { ...news, title: 'Another', updatedAt: 9 } })
  refuse()
  await renaming
  await settle()
  expect(document.document).toMatchObject({ title: 'D', updatedAt: 9 })
  expect(document.actionFailure?.code).toBe('READ_ONLY')
})

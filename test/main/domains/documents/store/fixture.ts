import { expect } from 'vitest'
import type {
  NewBlock,
  NewDocument,
  NewPart,
  NewVersion,
  PartReply,
  ReturnedPage,
} from '../../../../../src/main/domains/documents/store/documents-types.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import type { Failure } from '../../../../../src/shared/contract/reply.ts'
import type { DocumentFacts } from '../../../../../src/shared/model/document.ts'
import { aMedia, temporaryHome, withStore } from '../../../platform/database/fixture.ts'

/** Facts of a PDF with the given number of pages. */
export const facts = (pages: number, locked: DocumentFacts['locked'] = 'no'): DocumentFacts => ({
  mime: 'application/pdf',
  bytes: 1000 * pages,
  pages,
  sizes: Array.from({ length: pages }, () => ({ width: 595, height: 842 })),
  locked,
  textChars: Array.from({ length: pages }, () => 100),
})

/** Sample failure. */
export const failure = (code: Failure['code'] = 'OVERLOADED'): Failure => ({
  code,
  message: 'It did not work',
  retriable: true,
  at: 7,
})

/** Creates a document of ten pages, with the row of its file. */
export function newDocument(store: Store, id: string, changes: Partial<NewDocument> = {}): void {
  store.media.put({
    ...aMedia(changes.mediaId ?? `m-${id}`),
    mime: 'application/pdf',
    duration: null,
  })
  store.documents.create({
    id,
    title: `Document ${id}`,
    mediaId: `m-${id}`,
    name: `${id}.pdf`,
    facts: facts(10),
    at: 1000,
    ...changes,
  })
}

/** Part with the given pages. */
export const aPart = (id: string, first: number, last = first): NewPart => ({
  id,
  first,
  last,
  bytes: null,
})

/** Version with the pages of its parts. */
export const aVersion = (
  id: string,
  documentId: string,
  parts: readonly NewPart[],
  changes: Partial<NewVersion> = {},
): NewVersion => ({
  id,
  documentId,
  options: { pages: '', crops: false, layoutPictures: false },
  accountId: 'a1',
  accountName: 'Work',
  fingerprint: 'print',
  priority: 0,
  pages: parts.map(({ first, last }) => ({ first, last })),
  parts,
  at: 2000,
  ...changes,
})

/** Text block. */
export const aBlock = (
  order: number,
  content: string,
  changes: Partial<NewBlock> = {},
): NewBlock => ({
  order,
  kind: 'text',
  label: 'text',
  nativeLabel: 'paragraph',
  content,
  box: [0.1, 0.2, 0.5, 0.75],
  raw: [10, 20, 50, 75],
  guessed: false,
  ...changes,
})

/** Returned page, with a block for each text. */
export const aPage = (page: number, ...texts: readonly string[]): ReturnedPage => ({
  page,
  blocks: texts.map((text, order) => aBlock(order, text)),
  raster: { width: 2040, height: 2640 },
  regime: 'pixels',
})

/** Response with these pages. */
export const aReply = (
  pages: readonly ReturnedPage[],
  changes: Partial<PartReply> = {},
): PartReply => ({
  raw: { status: 200, contentType: 'application/json', body: '{"md_results":""}' },
  markdown: pages
    .map(({ blocks }) =>
      typeof blocks === 'number' ? '' : blocks.map((block) => block.content).join('\n'),
    )
    .join('\n\n'),
  engine: 'gen-ocr',
  pages,
  missing: failure('MALFORMED_REPLY'),
  at: 3000,
  ...changes,
})

/** Parses pages of a document in one part, with the given `texts` for each of them. */
export function parse(
  store: Store,
  documentId: string,
  versionId: string,
  first: number,
  texts: readonly (readonly string[])[],
  changes: Partial<NewVersion> = {},
): void {
  const part = aPart(`${versionId}-p`, first, first + texts.length - 1)
  store.documents.begin(aVersion(versionId, documentId, [part], changes))
  store.documents.sent(part.id)
  store.documents.reply(part.id, aReply(texts.map((each, at) => aPage(first + at, ...each))))
}

/** Runs `work` with an open library in its own folder. */
export async function withLibrary(work: (store: Store) => unknown): Promise<void> {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, work)
  } finally {
    folder.remove()
  }
}

/**
 * Asserts the invariants after any step: the page counts add up, and each waiting page is in exactly one unfinished
 * part, or in none.
 */
export function assertComplete(store: Store, documentId: string): void {
  for (const version of store.documents.versions(documentId)) {
    const pages = store.documents.pages(documentId, { versionId: version.id })
    const parts = store.documents
      .parts(version.id)
      .filter((part) => part.state === 'queued' || part.state === 'sent')
    const byPage = Map.groupBy(
      store.documents.blocks(documentId, { versionId: version.id }),
      (block) => block.page,
    )
    const { asked: requested, returned, failed, waiting, cancelled } = version.counts
    expect(returned + failed + waiting + cancelled).toBe(requested)
    expect(pages).toHaveLength(requested)
    for (const page of pages) {
      const holding = parts.filter((part) => part.first <= page.page && page.page <= part.last)
      const open = page.state === 'waiting' || page.state === 'sent'
      const planned = open && page.partId !== null
      expect(holding.map((part) => part.id)).toEqual(planned ? [page.partId] : [])
      if (planned) expect(page.state).toBe(holding[0]?.state === 'sent' ? 'sent' : 'waiting')
      const blocks = byPage.get(page.page) ?? []
      expect(blocks).toHaveLength(page.blocks)
      if (page.state !== 'returned') expect(blocks).toEqual([])
      expect(page.error === null).toBe(page.state !== 'failed')
    }
  }
}

import { expect, test } from 'vitest'
import type { DocumentBrief, PageCounts } from '../../../../src/shared/model/document.ts'
import { documentState } from '../../../../src/renderer/src/domains/library/entries/document-state.ts'

const counts = (change: Partial<PageCounts>): PageCounts => ({
  asked: 117,
  returned: 0,
  failed: 0,
  waiting: 0,
  cancelled: 0,
  ...change,
})
const brief = (change: Partial<DocumentBrief>): DocumentBrief => ({
  pages: 117,
  locked: false,
  state: null,
  counts: null,
  ...change,
})

test('shows what a document needs first: its password, then parsing', () => {
  expect(documentState(brief({ locked: true }))?.key).toBe('locked')
  expect(documentState(brief({}))?.key).toBe('unparsed')
})

test('shows whether a parse is queued or how many pages are done', () => {
  expect(documentState(brief({ state: 'waiting', counts: counts({ waiting: 117 }) }))).toEqual({
    key: 'queued',
    n: 117,
    all: 117,
    tone: 'plain',
  })
  const running = documentState(
    brief({ state: 'running', counts: counts({ returned: 2, failed: 1, waiting: 114 }) }),
  )
  expect(running).toMatchObject({ key: 'running', n: 3, all: 117 })
  expect(running?.progress).toBeCloseTo(3 / 117)
})

test('distinguishes failed from stopped pages, and shows nothing for a complete document', () => {
  const over = (change: Partial<PageCounts>) =>
    documentState(brief({ state: 'partial', counts: counts(change) }))
  expect(over({ returned: 115, failed: 2 })).toMatchObject({ key: 'failed', n: 2, tone: 'danger' })
  expect(over({ returned: 7, cancelled: 110 })).toMatchObject({ key: 'stopped', n: 110 })
  expect(over({ returned: 117 })).toBeNull()
})

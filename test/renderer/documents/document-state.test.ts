import { expect, test } from 'vitest'
import type { DocumentBrief, PageCounts } from '../../../src/shared/model/document.ts'
import { documentState } from '../../../src/renderer/src/features/library/document-state.ts'

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

test('what a document needs comes first: its password, then to be parsed', () => {
  expect(documentState(brief({ locked: true }))?.key).toBe('locked')
  expect(documentState(brief({}))?.key).toBe('unparsed')
})

test('a parse says whether it waits for its turn or how many pages are through', () => {
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

test('pages that failed are told apart from those that were stopped; a whole document says nothing', () => {
  const over = (change: Partial<PageCounts>) =>
    documentState(brief({ state: 'partial', counts: counts(change) }))
  expect(over({ returned: 115, failed: 2 })).toMatchObject({ key: 'failed', n: 2, tone: 'danger' })
  expect(over({ returned: 7, cancelled: 110 })).toMatchObject({ key: 'stopped', n: 110 })
  expect(over({ returned: 117 })).toBeNull()
})

import { expect, test } from 'vitest'
import {
  choicesNow,
  editedIn,
  isChosen,
  isWaited,
  missingPages,
  nextPage,
  sharedPages,
  currentCount,
  currentFor,
  versionsOf,
  type Coverage,
} from '../../../../src/renderer/src/domains/documents/versions/coverage.ts'
import type { VersionCoverage } from '../../../../src/shared/model/document.ts'

const span = (first: number, last = first) => ({ first, last })
const version = (versionId: string, own: Partial<VersionCoverage>): VersionCoverage => ({
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

/**
 * The newest version contains page 7 again, the previous one 3 to 5, the first all ten except two; page 4 was reset by
 * choice.
 */
const coverage: Coverage = [
  version('v3', { waiting: [span(7)] }),
  version('v2', { returned: [span(3, 5)], stands: [span(3), span(5)] }),
  version('v1', {
    returned: [span(1, 5), span(7, 9)],
    failed: [span(6)],
    cancelled: [span(10)],
    stands: [span(1, 2), span(4), span(7, 9)],
    chosen: [span(4)],
  }),
]

test('knows the current version of a page, which versions have it, and whether it is pending', () => {
  expect([1, 3, 4, 6, 7].map((page) => currentFor(coverage, page))).toEqual([
    'v1',
    'v2',
    'v1',
    null,
    'v1',
  ])
  expect(versionsOf(coverage, 4)).toEqual(['v2', 'v1'])
  expect(versionsOf(coverage, 6)).toEqual([])
  expect([3, 4].map((page) => isChosen(coverage, page))).toEqual([false, true])
  expect([6, 7].map((page) => isWaited(coverage, page))).toEqual([false, true])
  expect(currentCount(coverage)).toBe(8)
})

test('finds edits that are not shown by their version', () => {
  const edited = [version('v2', { edited: [span(1)] }), version('v1', { edited: [span(1, 2)] })]
  expect(editedIn(edited, 1, 'v3')).toBe('v2')
  expect(editedIn(edited, 1, 'v2')).toBe('v1')
  expect(editedIn(edited, 2, 'v1')).toBeNull()
})

test('shares the common pages of two versions, and skips the gaps between them', () => {
  expect(sharedPages(coverage, 'v1', 'v2')).toEqual([span(3, 5)])
  expect(sharedPages(coverage, 'v1', 'v3')).toEqual([])
  expect(sharedPages(coverage, 'v1', 'gone')).toEqual([])
  const own = coverage[2]?.returned ?? []
  expect(nextPage(own, 4, 1)).toBe(5)
  expect(nextPage(own, 5, 1)).toBe(7)
  expect(nextPage(own, 7, -1)).toBe(5)
  expect(nextPage(own, 9, 1)).toBeNull()
  expect(nextPage(own, 1, -1)).toBeNull()
})

test('restores the current choice: chosen pages by version, the rest as the newest', () => {
  expect(choicesNow(coverage, [span(3, 6)])).toEqual([
    { versionId: 'v1', pages: [4] },
    { versionId: null, pages: [3, 5] },
  ])
  expect(choicesNow(coverage, [span(6)])).toEqual([])
})

test('reports missing pages that were requested, by the version that last requested them', () => {
  expect(missingPages(coverage)).toEqual([
    { versionId: 'v1', failed: [span(6)], cancelled: [span(10)] },
  ])
  const again = [version('v4', { failed: [span(6)], waiting: [span(10)] }), ...coverage]
  expect(missingPages(again)).toEqual([{ versionId: 'v4', failed: [span(6)], cancelled: [] }])
  const there = [version('v4', { returned: [span(6)], stands: [span(6)] }), ...coverage]
  expect(missingPages(there)).toEqual([{ versionId: 'v1', failed: [], cancelled: [span(10)] }])
})

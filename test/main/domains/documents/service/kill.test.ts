import { expect, test } from 'vitest'
import { crashTestDocuments } from '../../../../crash-tests/documents.ts'

test('an app killed during parsing loses no page, duplicates none, and requests none needlessly', async () => {
  const { kills, jobs } = await crashTestDocuments({ rounds: 3, pages: 12, lifeMs: 1_000 })
  expect(kills).toBe(3)
  expect(jobs.length).toBeGreaterThan(0)
  expect(jobs.every(({ stored }) => stored >= 6)).toBe(true)
})

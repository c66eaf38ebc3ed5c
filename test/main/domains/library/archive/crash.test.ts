import { expect, test } from 'vitest'
import { crashTestArchive } from '../../../../crash-tests/archive.ts'

test('exports and imports, rejects damage, and leaves the old or new library after a kill', async () => {
  const found = await crashTestArchive({
    bytes: 12 * 1024 * 1024,
    rounds: 4,
    seed: 3,
    withoutCorpus: true,
  })
  expect(found.equal).toBeGreaterThan(30)
  expect(found.refused).toMatchObject({ truncated: 4, flipped: 1 })
  expect(found.kills.old + found.kills.new).toBe(4)
})

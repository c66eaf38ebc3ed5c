import { expect, test } from 'vitest'
import { migrations } from '../../../src/main/store/migrations/index.ts'

test('steps of the schema stand in the order of their numbers, each number once: the last one says what was done', () => {
  const versions = migrations.map(({ version }) => version)
  expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
})

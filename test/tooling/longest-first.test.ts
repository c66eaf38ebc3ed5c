import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { longest } from '../longest-first.ts'

test('has every file that starts first, listed once', () => {
  expect(longest.filter((path) => !existsSync(resolve(path)))).toEqual([])
  expect(new Set(longest).size).toBe(longest.length)
})

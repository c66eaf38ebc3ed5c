import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Calls that Vitest moves before the imports of a file, which needs its loader. */
const replaces = /\bvi\.(?:mock|doMock|hoisted)\(/

/** Returns the test files that replace modules, relative to the repository. Such a file fails if Node loads it. */
export const filesReplacingModules = (): string[] =>
  globSync('test/**/*.test.{ts,mjs}', { cwd: root })
    .filter((file) => replaces.test(readFileSync(join(root, file), 'utf8')))
    .map((file) => file.replaceAll('\\', '/'))

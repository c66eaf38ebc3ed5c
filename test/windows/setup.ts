import { relative } from 'node:path'
import { afterEach, beforeEach, type TestContext } from 'vitest'
import { notRunnableOn, testPlace } from './not-runnable.mjs'

/** Returns the full name of a test as in reports. */
function fullName({ task }: TestContext): string {
  const names = [task.name]
  for (let suite = task.suite; suite; suite = suite.suite) if (suite.name) names.unshift(suite.name)
  return names.join(' > ')
}

const root = process.cwd()
const list = notRunnableOn(testPlace())

beforeEach((context) => {
  const file = relative(root, context.task.file.filepath).replaceAll('\\', '/')
  for (const entry of list)
    if (entry.file === file && entry.tests?.includes(fullName(context))) context.skip(entry.because)
})

declare module 'vitest' {
  interface TaskMeta {
    /** Failed attempts before one that passed. */
    retries?: number
  }
}

afterEach(({ task }) => {
  const { retryCount } = task.result ?? {}
  if (retryCount) task.meta.retries = retryCount
})

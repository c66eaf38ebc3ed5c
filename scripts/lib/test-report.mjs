import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { at, root } from './paths.mjs'

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed tests that failed, and files that could not be loaded
 * @property {readonly string[]} skipped full names of tests that did not run
 *
 * @typedef {object} TestReport one test in vitest's JSON report
 * @property {string} status
 * @property {string} fullName
 * @property {readonly string[]} ancestorTitles
 * @property {string} title
 * @property {readonly string[]} [failureMessages]
 * @property {{ retries?: number }} [meta] added by test/windows/setup.ts
 *
 * @typedef {object} FileReport one file in it
 * @property {string} name its path
 * @property {string} [status]
 * @property {readonly TestReport[]} assertionResults
 *
 * @typedef {{ on?: readonly string[], file: string, tests?: readonly string[], because: string }} NotRunnable an entry of
 *   test/windows/not-runnable.mjs
 */

/**
 * Counts the results of vitest's JSON reporter. A run that failed outside every test (an unhandled rejection, a setup that
 * threw) counts as one failure, so that a failed run never looks like a passed one.
 * @param {{ testResults: readonly FileReport[] }} report
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countReport(report, exitCode) {
  const tests = report.testResults.flatMap((file) => file.assertionResults)
  const failedTests = tests.filter((test) => test.status === 'failed').length
  const unloaded = report.testResults.filter(
    (file) =>
      file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const failed = failedTests + unloaded
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: tests
      .filter((test) => test.status !== 'passed' && test.status !== 'failed')
      .map((test) => test.fullName),
  }
}

/** Full names of tests that passed only when repeated. @param {readonly FileReport[]} files */
export const flakyTests = (files) =>
  files.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === 'passed' && test.meta?.retries)
      .map((test) => test.fullName),
  )

/**
 * Returns files with a failed test, or that could not be loaded, each with its failed tests and the first line of their errors.
 * @param {{ testResults: readonly FileReport[] }} report
 */
export const failedFiles = (report) =>
  report.testResults
    .filter((file) => file.status === 'failed')
    .map((file) => {
      const name = relative(root, file.name).replaceAll('\\', '/')
      const tests = file.assertionResults
        .filter(({ status }) => status === 'failed')
        .map((test) => {
          const [error = ''] = (test.failureMessages?.[0] ?? '').split('\n')
          return `${name} > ${test.fullName}: ${error}`
        })
      return { name, tests: tests.length > 0 ? tests : [name] }
    })

/**
 * Returns the entries that are not runnable in an environment. @param {string} place @returns {Promise<readonly NotRunnable[]>}
 */
export async function notRunnableAt(place) {
  const list = await import(pathToFileURL(at('test/windows/not-runnable.mjs')).href)
  return list.notRunnableOn(place)
}

/** Formats entries of that list as lines: each test with the reason. @param {readonly NotRunnable[]} list */
export const linesOf = (list) =>
  list.flatMap(({ file, tests, because }) =>
    (tests ?? [null]).map((name) => `- ${name === null ? file : `${file} > ${name}`}: ${because}`),
  )

/**
 * Returns differences between the list and the report: a skipped test that is not listed, a listed test that does not exist.
 * @param {readonly FileReport[]} files
 * @param {readonly NotRunnable[]} list
 */
export function disagreements(files, list) {
  const named = (/** @type {string} */ file, /** @type {string} */ test) =>
    list.some((entry) => entry.file === file && entry.tests?.includes(test))
  return files.flatMap((file) => {
    const path = relative(root, file.name).replaceAll('\\', '/')
    const tests = file.assertionResults.map(({ ancestorTitles, title, status }) => ({
      status,
      name: [...ancestorTitles, title].join(' > '),
    }))
    // A file that could not be loaded has no tests to compare with.
    if (tests.length === 0) return []
    const silent = tests
      .filter(
        ({ name, status }) => status !== 'passed' && status !== 'failed' && !named(path, name),
      )
      .map(({ name }) => `${path} > ${name}: skipped, but not in the list`)
    const stale = list
      .filter((entry) => entry.file === path)
      .flatMap((entry) => entry.tests ?? [])
      .filter((name) => !tests.some((test) => test.name === name))
      .map((name) => `${path} > ${name}: in the list, but not in the file`)
    return [...silent, ...stale]
  })
}

/**
 * Tallies a run on this computer: every skipped test counts as failed unless it is listed.
 * @param {{ testResults: readonly FileReport[] }} report
 * @param {number} exitCode
 * @param {readonly NotRunnable[]} list
 * @returns {{ passed: number, failed: number, wrong: readonly string[] }}
 */
export function tallyOf(report, exitCode, list) {
  const { passed, failed } = countReport(report, exitCode)
  const wrong = disagreements(report.testResults, list)
  return { passed, failed: failed + wrong.length, wrong }
}

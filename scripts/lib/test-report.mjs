/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed tests that failed, and files that could not even be loaded
 * @property {readonly string[]} skipped full names of tests that did not run
 *
 * @typedef {object} FileReport one file in vitest's JSON report
 * @property {string} [status]
 * @property {readonly { status: string, fullName: string }[]} assertionResults
 */

/**
 * Counts a report of vitest's JSON reporter. A run that failed outside every test (an unhandled rejection, a set-up that
 * threw) counts one failure, so that a red run never reads as a green one.
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

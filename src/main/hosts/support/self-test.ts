import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Reply } from '../../../shared/contract/reply.ts'
import type { SelfTestState } from '../../../shared/contract/selfTest.ts'
import { reportOf, type CheckResult, type SelfTestRun } from '../../../shared/self-test/checks.ts'
import { checkMessages } from '../../../shared/self-test/messages.ts'
import type { Ids } from '../../deps.ts'
import { removal } from '../../../system/file-moves.ts'
import type { App, PageConnection } from '../../host.ts'
import { scratchPrefix } from '../../self-test/temporary-folder.ts'

/** A self-test requested on the command line. */
export interface SelfTestRequest {
  /** File for the report in addition to standard output; null for none. */
  readonly report: string | null
}

/**
 * Parses `--self-test` and `--report=FILE`; null if no test is requested. Relative paths are resolved against `folder`.
 */
export function selfTestRequest(args: readonly string[], folder: string): SelfTestRequest | null {
  if (!args.includes('--self-test')) return null
  const file = args.find((arg) => arg.startsWith('--report='))?.slice('--report='.length)
  return { report: file ? resolve(folder, file) : null }
}

/**
 * Creates a separate data folder for the test and sets `LECTERN_HOME` to it, so that nothing uses the user's. It is removed
 * when the process ends; files that Electron still has open then are removed by the next test.
 */
export function claimSelfTestHome(process: {
  readonly env: NodeJS.ProcessEnv
  on(event: 'exit', listener: () => void): unknown
}): void {
  const home = mkdtempSync(join(tmpdir(), scratchPrefix))
  process.env['LECTERN_HOME'] = home
  process.on('exit', () => {
    try {
      rmSync(home, removal)
    } catch {
      // Windows cannot delete open files.
    }
  })
}

/**
 * Runs the self-test of an app and reports each check as it ends (`tell`), then writes the report (`write`, and the requested
 * file). Returns the exit code: 0 only if nothing failed.
 */
export async function runSelfTest(parts: {
  readonly app: Pick<App, 'request' | 'connect' | 'disconnect'>
  readonly ids: Ids
  readonly request: SelfTestRequest
  /** Whether a page exists to run its checks. */
  readonly pages: boolean
  /** Facts about the app for the report. */
  readonly about: Parameters<typeof reportOf>[1]
  print(line: string): void
  write(json: string): void
}): Promise<number> {
  const { app, print, write, request } = parts
  const over = Promise.withResolvers<SelfTestRun>()
  let reported = 0
  const connection: PageConnection = {
    id: parts.ids(),
    push({ event }) {
      if (event.type !== 'self-test.changed') return
      for (; reported < event.run.results.length; reported++) {
        const result = event.run.results[reported]
        if (result) print(lineOf(result))
      }
      if (event.run.state !== 'running') over.resolve(event.run)
    },
  }
  app.connect(connection)
  try {
    const reply = (await app.request(connection, 'selfTest.start', {
      pages: parts.pages,
    })) as Reply<SelfTestState>
    if (!reply.ok) throw new Error(reply.error.message)
    const report = reportOf(await over.promise, parts.about)
    const json = JSON.stringify(report, null, 2)
    write(json)
    if (request.report !== null) writeFileSync(request.report, `${json}\n`)
    return report.failed === 0 && report.complete ? 0 : 1
  } finally {
    app.disconnect(connection)
  }
}

const marks = { pass: 'ok  ', fail: 'FAIL', unavailable: '-   ' } as const

const lineOf = ({ id, result, ms }: CheckResult): string =>
  `${marks[result]}  ${checkMessages[id].title} (${ms} ms)`

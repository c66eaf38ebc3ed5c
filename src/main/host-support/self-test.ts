import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Reply } from '../../shared/bridge/reply.ts'
import type { SelfTestState } from '../../shared/bridge/selfTest.ts'
import { reportOf, type CheckResult, type SelfTestRun } from '../../shared/self-test/checks.ts'
import { checkMessages } from '../../shared/self-test/messages.ts'
import type { Ids } from '../deps.ts'
import { removal } from '../../system/file-moves.ts'
import type { App, PageConnection } from '../host.ts'
import { scratchPrefix } from '../self-test/temporary-folder.ts'

/** A self-test from the command line. */
export interface SelfTestRequest {
  /** Where the report is written, beside standard output; null for nowhere else. */
  readonly report: string | null
}

/** Reads `--self-test` and `--report=FILE` from a command line; null when no test is asked for. Names of files are read against `folder`. */
export function selfTestRequest(args: readonly string[], folder: string): SelfTestRequest | null {
  if (!args.includes('--self-test')) return null
  const file = args.find((arg) => arg.startsWith('--report='))?.slice('--report='.length)
  return { report: file ? resolve(folder, file) : null }
}

/**
 * A data folder of the test's own, named by `LECTERN_HOME` so that nothing finds the user's. Its removal is tried when
 * the process ends; what the engine still holds then is removed by the next test.
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
      // Windows deletes no file that is open.
    }
  })
}

/**
 * Runs the self-test of an app and tells of each check as it ends (`tell`), then writes the report (`write`, and the
 * wished file). Gives the exit code: 0 only when nothing failed.
 */
export async function runSelfTest(parts: {
  readonly app: Pick<App, 'request' | 'connect' | 'disconnect'>
  readonly ids: Ids
  readonly request: SelfTestRequest
  /** Whether a page is there to run its checks. */
  readonly pages: boolean
  /** Of the app, for the report. */
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

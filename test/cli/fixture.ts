import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import { startTestService, type TestService } from '../local-service/fixtures/service.ts'

const program = resolve('src/cli/main.ts')

/** Result of a finished command. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Returns the lines of standard output as JSON. */
  json(): Record<string, unknown>[]
  /** Returns the failure on standard error. */
  error(): Record<string, unknown>
}

/** Options for running a command. */
export interface Command {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly stdin?: string
  readonly cwd?: string
  /** Output after which Ctrl-C is sent. */
  readonly interruptAt?: string
}

/** Runs the command as a real process. */
export async function run(command: Command): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...command.args], {
    env: { ...process.env, ...command.env },
    cwd: command.cwd ?? process.cwd(),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  let interrupted = false
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8')
    if (command.interruptAt === undefined || interrupted) return
    if (!stdout.includes(command.interruptAt)) return
    interrupted = true
    child.kill('SIGINT')
  })
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
  child.stdin.on('error', () => {})
  child.stdin.end(command.stdin ?? '')
  const [code] = (await once(child, 'close')) as [number | null]
  return {
    code,
    stdout,
    stderr,
    json: () =>
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    error: () => (JSON.parse(stderr) as { error: Record<string, unknown> }).error,
  }
}

/** Test environment: a local service with fault injection, a working folder, and the command with the key in its environment. */
export interface CliSetup {
  readonly service: TestService
  readonly folder: string
  /** Runs a command against the service; its output must not contain the key. */
  call(args: readonly string[], more?: Partial<Command>): Promise<Ended>
  /** Adds a fault injection rule. */
  fault(rule: Readonly<Record<string, unknown>>): Promise<unknown>
  /** Removes all rules. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Starts the service for one test file. The folder contains `sample.jsonl`. */
export async function openSetup(): Promise<CliSetup> {
  const service = await startTestService({ faults: true })
  const folder = await mkdtemp(join(tmpdir(), 'lectern-cli-'))
  await writeFile(join(folder, 'sample.jsonl'), '{"a":1}\n')
  return {
    service,
    folder,
    async call(args, more = {}) {
      const ended = await run({
        args: [...args, '--preset', 'local', '--base-url', service.url],
        cwd: folder,
        ...more,
        env: { LECTERN_KEY: service.key, ...more.env },
      })
      expect(ended.stdout + ended.stderr).not.toContain(service.key)
      return ended
    },
    fault: (rule) =>
      service.call('/__faults', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(rule),
      }),
    async reset() {
      await service.call('/__faults', { method: 'DELETE' })
    },
    async close() {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Flags of a question to the agent. */
export const question = ['--messages', 'Why?', '--retrieval', '{"knowledgeIds":["k1"]}']
const answerEvent = (data: string) => ({ data: { type: 'answer', sessionId: 's', data } })
/** Rule that makes the agent answer `So it is`; `more` is merged into its second event. */
export const agent = (more: Record<string, unknown> = {}) => ({
  path: '/zrag/agent/chat',
  times: 1,
  reply: {
    headers: { 'content-type': 'text/event-stream' },
    events: [
      answerEvent('So'),
      { ...answerEvent(' it is'), ...more },
      { data: { type: 'done', sessionId: 's', messageId: 'm1', data: 'So it is' } },
    ],
  },
})

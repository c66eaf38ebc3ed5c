import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { RecoveredSession } from '../../src/main/domains/audio/service/recording/recover.ts'
import { readJournal } from '../../src/main/platform/audio/journal.ts'
import { sessionFiles, sessionFolder } from '../../src/main/platform/audio/session-files.ts'
import { readWaveHeader } from '../../src/shared/audio/wave-header.ts'
import { signal } from '../main/domains/audio/worker/fixture.ts'
import { randomFrom } from '../fixtures/random.ts'
import { externalTool, type ExternalTool } from './outside-tools.ts'
import type { CrashTestArguments } from './index.ts'

/** Result of one kill. Seconds of audio. */
export interface KillReport {
  readonly round: number
  readonly killedAfterMs: number
  /** `kill`: only the process; `power`: unflushed data is also truncated, at a random byte. */
  readonly how: 'kill' | 'power'
  readonly acknowledged: number
  readonly recovered: number
  readonly lost: number
  readonly parts: number
  /** The session had not begun yet: there was nothing to lose. */
  readonly early: boolean
}

/** Result of the crash test. */
export interface RecordingCrashTest {
  readonly kills: readonly KillReport[]
  readonly worstLost: number
  /** Name of the external program that read the headers. */
  readonly tool: string | null
}

const sampleRate = 48_000
const frameBytes = 4
/** Approximate start time of a recorder, in milliseconds. */
const startMs = 600

/** Options of the crash test; the short form in `npm test` runs fewer and shorter rounds. */
export interface RecordingCrashTestOptions extends CrashTestArguments {
  /** Maximum lifetime of a recorder: marks and parts are a second apart, and every moment in between may be hit. */
  readonly lifeMs?: number
  readonly log?: (line: string) => void
}

/**
 * Records in a child process in real time (so that marks are a second apart by audio and by clock), kills it (SIGKILL) at random
 * moments, and restarts. After every kill the session must be listed, playable by Lectern and by another program, match the
 * recorded signal bit by bit, and be no more than a second shorter than acknowledged. Every third time the disk also loses
 * unflushed data.
 */
export async function crashTestRecording(
  options: RecordingCrashTestOptions = {},
): Promise<RecordingCrashTest> {
  const { rounds = 60, seed = 20_26, lifeMs = 3500, log = () => {} } = options
  const random = randomFrom(seed)
  const tool = externalTool()
  const root = await mkdtemp(join(tmpdir(), 'lectern-kill-'))
  const kills: KillReport[] = []
  log(head)
  const rest = Array.from({ length: rounds }, (_, i) => {
    // Most moments are counted from the first frame, so that they hit the audio; some from before the folder exists.
    const early = i % 10 === 9
    return {
      round: i + 1,
      how: i % 3 === 2 ? ('power' as const) : ('kill' as const),
      from: early ? 'starting' : '0',
      killedAfterMs: Math.floor(random() * (early ? startMs : lifeMs)),
      tear: random(),
    }
  })
  // Two at a time, as many as the smallest machine has cores: they mostly wait.
  const worker = async (): Promise<void> => {
    for (let plan = rest.shift(); plan; plan = rest.shift()) {
      const report = await killOnce(join(root, String(plan.round)), plan, tool)
      kills.push(report)
      log(row(report))
    }
  }
  try {
    await Promise.all([worker(), worker()])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
  const worstLost = Math.max(0, ...kills.map(({ lost }) => lost))
  return { kills: kills.toSorted((a, b) => a.round - b.round), worstLost, tool: tool?.name ?? null }
}

interface Plan {
  readonly round: number
  readonly how: 'kill' | 'power'
  /** Output line of the recorder from which the milliseconds count. */
  readonly from: string
  readonly killedAfterMs: number
  readonly tear: number
}

async function killOnce(home: string, plan: Plan, tool: ExternalTool | null): Promise<KillReport> {
  const { round, how, killedAfterMs } = plan
  const id = `killed-${round}`
  const acknowledged = await recordAndKill(home, id, plan)
  const folder = sessionFolder(home, id)
  if (how === 'power' && acknowledged !== null) losePower(folder, plan.tear)
  const { recovered, problems } = await nextStart(home)
  const session = recovered.find((each) => each.id === id)
  must(problems.length === 0, `problems: ${problems.join()}`)
  const early = acknowledged === null
  must(early || session !== undefined, `${id} is not listed`)
  const frames = session ? checkAudio(home, id, tool) : 0
  if (session) {
    must(session.durationMs === Math.round(frames / 48), 'the length that is told is another one')
    must(session.gaps.length === 0, 'a gap is told where none is')
  }
  const lost = Math.max(0, (acknowledged ?? 0) - frames) / sampleRate
  must(lost <= 1, `${id} lost ${lost} s`)
  return {
    round,
    how,
    killedAfterMs,
    acknowledged: (acknowledged ?? 0) / sampleRate,
    recovered: frames / sampleRate,
    lost,
    parts: session ? partsOf(folder).length : 0,
    early,
  }
}

const program = (name: string): string => fileURLToPath(new URL(`./${name}.ts`, import.meta.url))

/** Returns the frames acknowledged before the kill; null if the recording had not begun. */
async function recordAndKill(
  home: string,
  id: string,
  { from, killedAfterMs }: Plan,
): Promise<number | null> {
  const child = spawn(
    process.execPath,
    [program('recording-child'), home, id, String(sampleRate)],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  let wrong = ''
  child.stderr.on('data', (chunk: Buffer) => (wrong += chunk.toString()))
  const closed = once(child, 'close')
  const started = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.split('\n').slice(0, -1).includes(from)) resolve()
    })
  })
  await Promise.race([started, closed])
  await new Promise((resolve) => setTimeout(resolve, killedAfterMs))
  child.kill('SIGKILL')
  await closed
  must(child.signalCode === 'SIGKILL', `the recorder ended by itself: ${wrong}`)
  const counts = output
    .split('\n')
    .slice(0, -1)
    .filter((line) => /^\d+$/.test(line))
  return counts.length === 0 ? null : Number(counts.at(-1))
}

/** Truncates what was written after the last mark at a random position, so that frames and lines are torn. */
function losePower(folder: string, tear: number): void {
  const { entries } = readJournal(folder)
  const durable = Math.max(0, ...entries.map((entry) => (entry.t === 'mark' ? entry.frame : 0)))
  const last = entries.findLast((entry) => entry.t === 'part')
  if (!last) return
  const path = sessionFiles(folder).part(last.number)
  const { size } = statSync(path)
  const savedBytes = 44 + Math.max(0, durable - last.frame) * frameBytes
  truncateSync(path, savedBytes + Math.floor((size - savedBytes) * tear))
  appendFileSync(sessionFiles(folder).journal, '{"t":"mark","fra')
}

async function nextStart(home: string): Promise<{
  readonly recovered: readonly RecoveredSession[]
  readonly problems: readonly string[]
}> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    program('recording-repair'),
    home,
  ])
  return JSON.parse(stdout) as Awaited<ReturnType<typeof nextStart>>
}

const partsOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.wav'))
    .toSorted()
    .map((name) => join(folder, name))

/** Returns the frames of a session, after comparing every header and every sample. */
function checkAudio(home: string, id: string, tool: ExternalTool | null): number {
  const whole = join(home, `${id}.wav`)
  const parts = partsOf(sessionFolder(home, id))
  for (const path of [...parts, whole]) {
    const bytes = readFileSync(path)
    const header = readWaveHeader(bytes)
    must(header?.dataBytes === bytes.length - 44, `${path}: wrong size in the header`)
    must(header?.riffBytes === bytes.length - 8, `${path}: wrong size of the file`)
  }
  const bytes = readFileSync(whole)
  const frames = (bytes.length - 44) / frameBytes
  must(Number.isInteger(frames), 'half a frame')
  must(bytes.subarray(44).equals(signal(0, frames)), `${id}: not the samples that were recorded`)
  for (const path of tool ? [...parts, whole] : []) {
    const expected = (statSync(path).size - 44) / frameBytes
    // An empty part is valid too, but audio programs rightly find nothing to play in it.
    if (expected === 0) continue
    const read = tool?.read(path)
    must(
      read?.channels === 2 && read.sampleRate === sampleRate && read.frames === expected,
      `${path}: ${tool?.name} reads ${JSON.stringify(read)}`,
    )
  }
  return frames
}

function must(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}

const head = 'round  how    killed after  acknowledged   recovered        lost  parts'
const row = (kill: KillReport): string =>
  [
    String(kill.round).padStart(5),
    kill.how.padEnd(5),
    `${kill.killedAfterMs} ms`.padStart(13),
    `${kill.acknowledged.toFixed(3)} s`.padStart(13),
    `${kill.recovered.toFixed(3)} s`.padStart(11),
    `${kill.lost.toFixed(3)} s`.padStart(11),
    String(kill.parts).padStart(5),
    kill.early ? '(not begun yet)' : '',
  ].join(' ')

/** `npm run crash-tests -- recording`. */
export const crashTest = {
  name: 'recording',
  async run(given: CrashTestArguments): Promise<void> {
    const { kills, worstLost, tool } = await crashTestRecording({ ...given, log: console.log })
    if (!tool)
      throw new Error('Neither soxi nor ffprobe is installed: nobody else read the headers')
    const byPower = kills.filter(({ how }) => how === 'power')
    console.log(
      JSON.stringify({
        kills: kills.length,
        killedBeforeTheSession: kills.filter(({ early }) => early).length,
        listedAndPlayable: kills.filter(({ early }) => !early).length,
        worstLostSeconds: worstLost,
        worstLostByKillAlone: Math.max(
          0,
          ...kills.filter(({ how }) => how === 'kill').map(({ lost }) => lost),
        ),
        powerCuts: byPower.length,
        headersReadBy: tool,
      }),
    )
  },
}

import { checkMessages, noteActions, noteText, type CheckId, type NoteId } from './messages.ts'

/** Where a check runs: in the core, in the host (windows, permissions), or in the page. */
type CheckPlace = 'core' | 'host' | 'page'

/** `unavailable`: this host or system does not support it, which is not a failure. */
type CheckVerdict = 'pass' | 'fail' | 'unavailable'

/**
 * Outcome of a check: a verdict, and the ID of a sentence with its values. Never contains a path, a key or a title.
 */
export interface CheckOutcome {
  readonly result: CheckVerdict
  readonly note: NoteId
  readonly values?: Readonly<Record<string, string | number>>
}

/** An outcome with its duration in milliseconds. */
export interface CheckResult extends CheckOutcome {
  readonly id: CheckId
  readonly ms: number
}

/** A running or finished self-test. */
export interface SelfTestRun {
  readonly id: string
  readonly state: 'running' | 'done' | 'cancelled'
  readonly current: CheckId | null
  readonly results: readonly CheckResult[]
  /** Total duration in milliseconds; 0 while it is running. */
  readonly ms: number
}

/** The machine-readable report. Its texts are always English. */
export interface SelfTestReport {
  readonly format: 'lectern-self-test/1'
  readonly version: string
  readonly platform: string
  readonly host: 'electron' | 'loopback'
  /** False when the user stopped it. */
  readonly complete: boolean
  readonly ms: number
  readonly passed: number
  readonly failed: number
  readonly unavailable: number
  readonly checks: readonly {
    readonly id: CheckId
    readonly title: string
    readonly result: CheckVerdict
    readonly detail: string
    /** Recommended action for a failure. */
    readonly action?: string
    readonly ms: number
  }[]
}

interface CheckPlan<P extends CheckPlace = CheckPlace> {
  readonly place: P
  /** Timeout in milliseconds, after which it counts as failed. */
  readonly limitMs: number
}

const plan = <P extends CheckPlace>(place: P, seconds: number): CheckPlan<P> => ({
  place,
  limitMs: seconds * 1000,
})

/**
 * All checks in order. The page is first, since the others depend on it; the computer's audio is second, since it can be
 * opened only within seconds after a click.
 */
export const checks = {
  page: plan('page', 20),
  'computer-sound': plan('page', 10),
  window: plan('host', 10),
  sandbox: plan('host', 5),
  isolation: plan('page', 5),
  graphics: plan('page', 5),
  fonts: plan('page', 5),
  versions: plan('core', 5),
  clock: plan('core', 5),
  'temp-folder': plan('core', 5),
  'data-folder': plan('core', 5),
  'disk-space': plan('core', 5),
  keychain: plan('core', 65),
  proxy: plan('core', 10),
  workers: plan('core', 120),
  database: plan('core', 20),
  media: plan('page', 10),
  playback: plan('page', 15),
  upload: plan('page', 120),
  'large-file': plan('core', 120),
  'local-service': plan('core', 30),
  pdf: plan('core', 30),
  search: plan('core', 15),
  ocr: plan('core', 60),
  speech: plan('core', 60),
  embeddings: plan('core', 30),
  recording: plan('core', 20),
  export: plan('core', 20),
  archive: plan('core', 30),
  print: plan('core', 20),
  'microphone-access': plan('host', 5),
  microphone: plan('page', 5),
  notifications: plan('host', 5),
  shortcut: plan('host', 5),
  links: plan('host', 5),
  updates: plan('core', 40),
} as const satisfies Record<CheckId, CheckPlan>

/** The IDs of {@link checks} in order. */
export const checkIds = Object.keys(checks) as readonly CheckId[]

/** Time limit in milliseconds for the whole self-test: checks that have not started by then fail. */
export const maxSelfTestMs = 300_000

type IdsOf<P extends CheckPlace> = {
  [Id in CheckId]: (typeof checks)[Id]['place'] extends P ? Id : never
}[CheckId]

export type CoreCheckId = IdsOf<'core'>
export type HostCheckId = IdsOf<'host'>
export type PageCheckId = IdsOf<'page'>

/** Returns whether a value is short and contains no path: letters, digits and punctuation without slashes. */
const harmless = (value: string | number): boolean =>
  typeof value === 'number' ? Number.isFinite(value) : /^[\p{L}\p{N} .,:()+_-]{0,120}$/u.test(value)

/** Returns the outcome without values that could identify a path or a person, for display and saving. */
export function cleanOutcome({ result, note, values = {} }: CheckOutcome): CheckOutcome {
  const cleaned = Object.entries(values).map(([name, value]) => [
    name,
    harmless(value) ? value : '?',
  ])
  return { result, note, values: Object.fromEntries(cleaned) }
}

/** Returns a note's English sentence with its values. */
const sentence = ({ note, values = {} }: CheckOutcome): string =>
  noteText[note].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '?'))

/** Returns whether a finding has its own recommended action, regardless of the check. */
export const hasOwnAction = (note: NoteId): note is keyof typeof noteActions => note in noteActions

export function reportOf(
  run: SelfTestRun,
  app: Pick<SelfTestReport, 'version' | 'platform' | 'host'>,
): SelfTestReport {
  const count = (verdict: CheckVerdict): number =>
    run.results.filter(({ result }) => result === verdict).length
  return {
    format: 'lectern-self-test/1',
    version: app.version,
    platform: app.platform,
    host: app.host,
    complete: run.state === 'done',
    ms: run.ms,
    passed: count('pass'),
    failed: count('fail'),
    unavailable: count('unavailable'),
    checks: run.results.map((result) => ({
      id: result.id,
      title: checkMessages[result.id].title,
      result: result.result,
      detail: sentence(result),
      ...(result.result === 'fail' && { action: actionOf(result) }),
      ms: result.ms,
    })),
  }
}

const actionOf = ({ id, note }: CheckResult): string =>
  hasOwnAction(note) ? noteActions[note] : checkMessages[id].action

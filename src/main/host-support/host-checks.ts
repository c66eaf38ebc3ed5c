import type { CheckOutcome, HostCheckId } from '../../shared/self-test/checks.ts'

/** What the Electron host knows of itself, for the self-test. */
export interface HostFacts {
  /** `process.platform`. */
  readonly platform: string
  readonly isPackaged: boolean
  /** Whether each window of the app can be seen: shown, and on a display. */
  windows(): readonly boolean[]
  /** The engine was started with `--no-sandbox`. */
  readonly noSandbox: boolean
  /** What `systemPreferences.getMediaAccessStatus('microphone')` says. */
  microphone(): string
  notifications(): boolean
  /** Registers a shortcut that nobody uses and gives it back; whether that went. */
  tryShortcut(): boolean
  /** Whether `lectern:` addresses open this app. */
  opensLinks(): boolean
}

/** Whether the system lets an app use the microphone, by the word it has for it. */
export function microphoneOutcome(status: string, platform: string): CheckOutcome {
  if (platform !== 'darwin' && platform !== 'win32')
    return { result: 'unavailable', note: 'notOffered' }
  if (status === 'granted') return { result: 'pass', note: 'allowed' }
  if (status === 'not-determined') return { result: 'pass', note: 'notAsked' }
  return status === 'unknown'
    ? { result: 'unavailable', note: 'notOffered' }
    : { result: 'fail', note: 'denied' }
}

/** The checks that only a host with windows can make. */
export function hostChecks(facts: HostFacts): (id: HostCheckId) => Promise<CheckOutcome> {
  const resultOf = (isGood: boolean, note: 'notVisible' | 'sandboxOff' | 'denied' | 'taken') =>
    isGood ? ({ result: 'pass', note: 'works' } as const) : ({ result: 'fail', note } as const)
  const checks: Readonly<Record<HostCheckId, () => CheckOutcome>> = {
    window: () => resultOf(facts.windows().includes(true), 'notVisible'),
    sandbox: () => resultOf(!facts.noSandbox, 'sandboxOff'),
    'microphone-access': () => microphoneOutcome(facts.microphone(), facts.platform),
    notifications: () => resultOf(facts.notifications(), 'denied'),
    shortcut: () => resultOf(facts.tryShortcut(), 'taken'),
    links() {
      if (!facts.isPackaged) return { result: 'unavailable', note: 'notInstalled' }
      return facts.opensLinks()
        ? { result: 'pass', note: 'works' }
        : { result: 'fail', note: 'notRegistered' }
    },
  }
  return async (id) => checks[id]()
}

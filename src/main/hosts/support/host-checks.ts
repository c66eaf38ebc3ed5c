import type { CheckOutcome, HostCheckId } from '../../../shared/self-test/checks.ts'

/** Facts about the Electron host for the self-test. */
export interface HostFacts {
  /** Value of `process.platform`. */
  readonly platform: string
  readonly isPackaged: boolean
  /** Returns for each window of the app whether it is visible: shown, and on a display. */
  windows(): readonly boolean[]
  /** Whether Electron was started with `--no-sandbox`. */
  readonly noSandbox: boolean
  /** Returns the result of `systemPreferences.getMediaAccessStatus('microphone')`. */
  microphone(): string
  notifications(): boolean
  /** Registers an unused shortcut and unregisters it; returns whether that succeeded. */
  tryShortcut(): boolean
  /** Returns whether `lectern:` URLs open this app. */
  opensLinks(): boolean
}

/** Returns whether the system allows the app to use the microphone, by its access status. */
export function microphoneOutcome(status: string, platform: string): CheckOutcome {
  if (platform !== 'darwin' && platform !== 'win32')
    return { result: 'unavailable', note: 'notOffered' }
  if (status === 'granted') return { result: 'pass', note: 'allowed' }
  if (status === 'not-determined') return { result: 'pass', note: 'notAsked' }
  return status === 'unknown'
    ? { result: 'unavailable', note: 'notOffered' }
    : { result: 'fail', note: 'denied' }
}

/** Returns the checks available only in a host with windows. */
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

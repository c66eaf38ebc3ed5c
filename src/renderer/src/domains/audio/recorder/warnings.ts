import type { SourceProblem } from './audio/sources.ts'
import type { CaptureState, ChannelView } from './state.ts'

/** A warning while recording: its message key below `capture`, and its values. */
interface Warning {
  readonly key: string
  readonly values: Readonly<Record<string, string | number>>
  /** `danger`: audio is being lost. */
  readonly tone: 'warn' | 'danger'
  /** Action that is possible here. */
  readonly act: 'share' | 'change' | null
  /** Whether the cause may be that the system denies system audio. */
  readonly mayBeRefused: boolean
}

/** Whether system audio fails like on a system that denies it: without an error. */
export const mayBeRefused = (problem: SourceProblem | null): boolean =>
  problem === 'no-audio' || problem === 'ended'

/** Returns the current problems, worst first. Names are already localized. */
export function warningsOf(
  state: CaptureState,
  nameOf: (channel: ChannelView) => string,
  clock: (seconds: number) => string,
): readonly Warning[] {
  const found: Warning[] = []
  const add = (
    key: string,
    tone: Warning['tone'] = 'warn',
    values: Warning['values'] = {},
    act: Warning['act'] = null,
    refused = false,
  ): void => void found.push({ key, values, tone, act, mayBeRefused: refused })

  if (state.sending === 'full') add('full', 'danger')
  if (state.sending === 'overload') add('overload', 'danger')
  if (state.sending === 'retrying' || state.sending === 'refused') add(state.sending)
  if (state.stalled && state.phase === 'recording') add('stalled', 'danger')
  if (state.sleptMs !== null) add('slept', 'warn', { time: clock(state.sleptMs / 1000) })
  for (const channel of state.channels) {
    const values = { name: nameOf(channel) }
    const others = channel.role === 'others'
    const act = others ? 'share' : 'change'
    if (channel.state === 'lost' && channel.endedAtOnce)
      add('endedAtOnce', 'danger', values, act, others)
    else if (channel.state === 'lost') add(others ? 'lostOthers' : 'lost', 'danger', values, act)
    else if (channel.state === 'muted') add('muted', 'warn', values)
    else if (channel.silence === 'zeros' && others) add('zerosOthers', 'warn', values, null, true)
    else if (channel.silence === 'zeros') add('zeros', 'danger', values, act)
    else if (channel.silence === 'silent') add('silent', 'warn', values)
  }
  if (state.bothSilent) add('bothSilent')
  if (state.wrongRate) add('wrongRate')
  return found.toSorted((a, b) => Number(b.tone === 'danger') - Number(a.tone === 'danger'))
}

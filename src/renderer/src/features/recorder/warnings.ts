import type { SourceProblem } from './audio/sources.ts'
import type { CaptureState, ChannelView } from './state.ts'

/** Something to look at while it records: a key of its words below `capture`, and what stands in them. */
export interface Warning {
  readonly key: string
  readonly values: Readonly<Record<string, string | number>>
  /** `danger`: sound is being lost. */
  readonly tone: 'warn' | 'danger'
  /** What can be done about it here. */
  readonly act: 'share' | 'change' | null
  /** It is also how a system looks that does not allow the computer's audio. */
  readonly mayBeRefused: boolean
}

/** Whether the computer's audio fails in a way that a system does that does not allow it: without an error. */
export const mayBeRefused = (problem: SourceProblem | null): boolean =>
  problem === 'no-sound' || problem === 'ended'

/** What is wrong now, worst first. Names are already words. */
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

import { computed } from 'vue'
import type { Segment, Span } from '../../../../../shared/model/meeting.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { completenessParts, type CompletenessPart } from '../../library/index.ts'
import { useMeetingWorkspace } from './meeting-workspace-store.ts'
import { nextAfter } from './in-order.ts'
import { useMeeting } from './meetings-store.ts'

interface Timed extends Span {
  readonly id: string
}

/** Messages of the targets of a part, below `meeting.proof.`. */
const goals = {
  end: 'goEnd',
  waiting: 'goWaiting',
  flagged: 'goFlagged',
  failed: 'goFailed',
  gap: 'goGap',
} as const

/** Parts whose number is a duration in milliseconds. */
const lengths: ReadonlySet<CompletenessPart['key']> = new Set([
  'recorded',
  'written',
  'missing',
  'gaps',
])

/** Texts of the opened meeting's completeness line, and navigation to what each part counts. */
export function useCompleteness() {
  const store = useMeeting()
  const workspace = useMeetingWorkspace()
  const { t, clock, number } = useTranslation()

  const inState = (...states: readonly Segment['state'][]): readonly Segment[] =>
    store.segments.filter(({ state }) => states.includes(state))
  const places = computed(() => ({
    waiting: inState('pending', 'inflight'),
    flagged: inState('flagged'),
    failed: inState('failed'),
    gap: store.meeting?.gaps ?? [],
  }))
  const parts = computed(() =>
    (store.meeting ? completenessParts(store.meeting) : []).map((part) => {
      const { key, value, tone, target } = part
      const time = lengths.has(key) ? clock(value / 1000) : ''
      return {
        key,
        tone,
        target,
        words: t(`meeting.proof.${key}`, { time, n: number(value) }, value),
        goal: t(`meeting.proof.${goals[target]}`),
        leads: target === 'end' ? value > 0 : places.value[target].length > 0,
      }
    }),
  )
  /** Goes to the next target after the playhead, and starts over after the last. */
  const go = (target: CompletenessPart['target']): void => {
    const at = workspace.player?.atMs.value ?? 0
    if (target === 'end') return workspace.goTo(store.meeting?.durationMs ?? 0)
    const found: readonly Timed[] = places.value[target]
    const place = nextAfter(found, Math.ceil(at))
    if (!place) return
    workspace.goTo(place.startMs)
    const line = store.lines.find(({ segmentId }) => segmentId === place.id)
    if (line) workspace.select(line.id)
  }
  return { parts, go }
}

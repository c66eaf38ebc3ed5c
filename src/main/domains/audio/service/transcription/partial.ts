import type { SegmentRecord } from '../../store/meetings-types.ts'
import type { TranscriptionEvents } from '../parts.ts'
import { maxTextLength } from './speech-duration.ts'

/** Interval between two updates of a growing text, in milliseconds. */
const everyMs = 150

/** Reports the text of an answer while it is received, throttled. Only complete answers are saved; this is only for display. */
export function createPartial(
  deps: {
    readonly events: Pick<TranscriptionEvents, 'onPartial'>
    mask(text: string): string
    after(ms: number, work: () => void): () => void
  },
  row: Pick<SegmentRecord, 'id' | 'meetingId' | 'again'>,
): { add(delta: string): void; end(): void } {
  let text = ''
  let reported = false
  let over = false
  let callOff: (() => void) | null = null
  const report = (): void => {
    callOff = null
    reported = true
    deps.events.onPartial(row.meetingId, row.id, deps.mask(text))
  }
  return {
    add(delta) {
      if (over) return
      // An endless answer is not reported again and again, longer each time.
      if (text.length >= maxTextLength) return
      text += delta.slice(0, maxTextLength)
      // Another pass produces a suggestion, which must not replace the existing text.
      if (row.again === null) callOff ??= deps.after(everyMs, report)
    },
    end() {
      over = true
      callOff?.()
      callOff = null
      if (reported) deps.events.onPartial(row.meetingId, row.id, '')
    },
  }
}

import type { SegmentRecord } from '../../../store/meetings-types.ts'
import type { TranscriptionEvents } from '../parts.ts'
import { maxTextLength } from './speech-duration.ts'

/** Between two looks at a text that grows, in milliseconds. */
const everyMs = 150

/** Tells the text of an answer while it comes, not for every piece of it. Only whole answers count; this is for looking at. */
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
      // An answer that never ends is not told again and again, longer each time.
      if (text.length >= maxTextLength) return
      text += delta.slice(0, maxTextLength)
      // What another pass hears is a proposal: it does not stand over the words that are there.
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

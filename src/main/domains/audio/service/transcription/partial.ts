import type { MeetingStore, SegmentRecord } from '../../store/meetings-types.ts'
import { maxTextLength } from './speech-duration.ts'
import type { Line, Segment } from '../../../../../shared/model/meeting.ts'

/** Interval between two updates of a growing text, in milliseconds. */
const everyMs = 150

/** Events of the transcription. */
export interface TranscriptionEvents {
  /** Called with segments that changed, and the lines that were added or removed with them. */
  onTranscribed(
    id: string,
    change: {
      readonly segments: readonly Segment[]
      readonly lines: readonly Line[]
      readonly removed: readonly string[]
    },
  ): void
  onPartial(id: string, segmentId: string, text: string): void
  /** Number of segments that wait for the network, over all meetings. */
  onWaiting(count: number): void
}

/** Text of an answer while it is received. */
interface PartialText {
  add(delta: string): void
  /** Whether text was received that is not saved. */
  isUnsaved(): boolean
  /** Saves what was received. Throws the errors of the store. */
  save(): void
  /** Ends the updates; `isDone` if the result was saved, which replaces the text. */
  end(isDone: boolean): void
}

/**
 * Saves the text of an answer while it is received, and then reports it, throttled: a crash loses no text that was shown.
 * The text of an earlier attempt stays until this one has more.
 */
export function createPartial(
  deps: {
    readonly store: Pick<MeetingStore, 'savePartial'>
    readonly events: Pick<TranscriptionEvents, 'onPartial'>
    mask(text: string): string
    after(ms: number, work: () => void): () => void
  },
  row: Pick<SegmentRecord, 'id' | 'meetingId' | 'again' | 'partial'>,
): PartialText {
  let text = ''
  let saved = row.partial ?? ''
  let reported = ''
  let over = false
  let cancelTimer: (() => void) | null = null
  // Another pass produces a suggestion, which must not replace the existing text.
  const isUnsaved = (): boolean => row.again === null && deps.mask(text).length > saved.length
  const save = (): void => {
    if (!isUnsaved()) return
    const masked = deps.mask(text)
    deps.store.savePartial(row.id, masked)
    saved = masked
  }
  const report = (): void => {
    if (saved === '' || saved === reported) return
    reported = saved
    deps.events.onPartial(row.meetingId, row.id, saved)
  }
  const plan = (): void => {
    cancelTimer ??= deps.after(everyMs, update)
  }
  const update = (): void => {
    cancelTimer = null
    try {
      save()
      report()
    } catch {
      // Text that the store rejects is not shown yet. If that lasts, saving the result reports it.
      plan()
    }
  }
  return {
    add(delta) {
      if (over) return
      // An endless answer is not reported again and again, longer each time.
      if (text.length >= maxTextLength) return
      text += delta.slice(0, maxTextLength)
      if (cancelTimer === null && isUnsaved()) plan()
    },
    isUnsaved,
    save,
    end(isDone) {
      over = true
      cancelTimer?.()
      cancelTimer = null
      if (!isDone) report()
      else if (saved !== '') deps.events.onPartial(row.meetingId, row.id, '')
    },
  }
}

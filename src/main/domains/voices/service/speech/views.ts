import { createHash } from 'node:crypto'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Speech, SpeechSegment, SpeechSettings } from '../../../../../shared/model/speech.ts'
import type { SegmentRecord, SpeechRecord } from '../../store/speech-types.ts'

/** Converts a segment for the renderer. */
export function segmentView(segment: SegmentRecord): SpeechSegment {
  const { id, text, paragraph, state, take, takes, error, nextTryAt } = segment
  return { id, text, paragraph, state, take, takes, error, nextTryAt }
}

/** Returns a fingerprint of joined audio: takes, their order, and how they are joined. */
export function joinPrint(
  segments: readonly (readonly [takeId: string, paragraph: boolean])[],
  settings: SpeechSettings,
): string {
  const { pauseMs, paragraphMs, crossfadeMs, matchLoudness } = settings
  const all = [pauseMs, paragraphMs, crossfadeMs, matchLoudness, segments]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

/** State of a narration that only the running process knows. */
interface SpeechNow {
  readonly joining: boolean
  readonly joinError: Failure | null
  /** Whether the joined audio is up to date. */
  readonly current: boolean
  /** Whether its account is unreachable. */
  readonly held: boolean
}

/** Converts a narration for the renderer. */
export function speechView(record: SpeechRecord, now: SpeechNow): Speech {
  const { joined, revision: _, ...view } = record
  const { joining, joinError, current, held } = now
  const waiting = view.waiting || (held && view.counts.open > 0)
  if (!joined) return { ...view, joined: null, joining, joinError, waiting }
  const { print: _print, revision: _made, ...rest } = joined
  return { ...view, joined: { ...rest, current }, joining, joinError, waiting }
}

import type { FoundSegment } from '../activity-messages.ts'
import type { Span } from '../../../shared/model/meeting.ts'
import { chooseCut } from './cut.ts'
import { endOf, frameAt, frameMs, known, knownAt, voiceAt } from './frames.ts'
import type { FrameRange, Frames } from './frames.ts'
import { pauseThatEnds, rules } from './rules.ts'

/** Position where the analysis continues. `forced`: the preceding cut is within speech, and this is the overlap after it. */
export interface Place {
  readonly ms: number
  readonly forced: boolean
}

/** Segments found in a run of frames. */
export interface Finding {
  readonly segments: readonly FoundSegment[]
  /** Everything before it is decided: a search that begins here with the frames from here on finds the same. */
  readonly place: Place
  /** Ranges that the detector should check, because these segments depend on them. */
  readonly questions: readonly FrameRange[]
}

/** How a range of speech ended, or that it has not ended yet. */
interface SegmentStep {
  readonly segment: FoundSegment | null
  readonly next: Place
  readonly open: boolean
  readonly questions: readonly FrameRange[]
}

/**
 * Finds the segments in frames, from a position in them on (service-notes 17.1 and 17.2). Every decision depends only on the
 * preceding frames, so that more frames never change a closed segment. `endMs` closes an open segment at the end of the audio.
 */
export function findSegments(frames: Frames, from: Place, endMs: number | null): Finding {
  const segments: FoundSegment[] = []
  const questions: FrameRange[] = []
  let place = from
  for (;;) {
    const step = nextSegment(frames, place, endMs)
    place = step.next
    questions.push(...step.questions)
    if (step.segment) segments.push(step.segment)
    if (step.open) return { segments, place, questions }
  }
}

function nextSegment(frames: Frames, from: Place, endMs: number | null): SegmentStep {
  const end = endOf(frames)
  const first = Math.max(frames.first, frameAt(from.ms))
  let onset = first
  if (!from.forced) while (onset < end && voiceAt(frames, onset) < rules.voice) onset++
  if (onset >= end && !from.forced) return idle(from, end, endMs)

  const startMs = from.forced ? from.ms : Math.max(from.ms, onset * frameMs - rules.padBeforeMs)
  const voiced = createVoiced()
  // A segment that begins in speech has a beginning even if its first frames are doubtful.
  let voiceEnd = onset
  for (let i = onset; i < end; i++) {
    if (voiced.take(i, voiceAt(frames, i))) voiceEnd = i + 1
    const now = (i + 1) * frameMs
    const pause = now - voiceEnd * frameMs
    if (pause >= pauseThatEnds(voiceEnd * frameMs - startMs, voiced.ms())) {
      return closed(Math.min(now, voiceEnd * frameMs + rules.padAfterMs))
    }
    if (now + frameMs - startMs > rules.capMs) return capped(i + 1)
  }
  if (endMs === null)
    return { segment: null, next: { ms: startMs, forced: from.forced }, open: true, questions: [] }
  const rest = closed(Math.min(endMs, voiceEnd * frameMs + rules.padAfterMs))
  return { ...rest, next: { ms: endMs, forced: false }, open: true }

  function closed(closedMs: number): SegmentStep {
    return createStep(closedMs, { ms: closedMs, forced: false }, false)
  }

  function capped(limit: number): SegmentStep {
    const cut = chooseCut(frames, limit)
    const cutMs = cut.frame * frameMs + frameMs / 2
    const before = voiced.endBefore(cut.frame)
    const ends = cut.forced ? cutMs : Math.min(cutMs, before * frameMs + rules.padAfterMs)
    const next = cut.forced
      ? { ms: cutMs - rules.overlapMs, forced: true }
      : { ms: ends, forced: false }
    const made = createStep(ends, next, cut.forced)
    return cut.question ? { ...made, questions: [...made.questions, cut.question] } : made
  }

  function createStep(stopMs: number, next: Place, forcedEnd: boolean): SegmentStep {
    const spans = voiced.spans({ startMs, endMs: stopMs })
    const ms = spans.reduce((sum, span) => sum + span.endMs - span.startMs, 0)
    if (ms < rules.minVoiceMs) return { segment: null, next, open: false, questions: [] }
    const question = unconfirmed(frames, spans)
    return {
      segment: { startMs, endMs: stopMs, forcedStart: from.forced, forcedEnd, voiced: spans },
      next,
      open: false,
      questions: question ? [question] : [],
    }
  }
}

/** No speech: keeps the audio that may become the padding of the next segment. */
function idle(from: Place, end: number, endMs: number | null): SegmentStep {
  const ms = endMs ?? Math.max(from.ms, end * frameMs - rules.padBeforeMs)
  return { segment: null, next: { ms, forced: false }, open: true, questions: [] }
}

/** Collects the voiced frames of a segment; a frame below the threshold continues with the voice of the previous one. */
function createVoiced(): {
  take(frame: number, voice: number): boolean
  ms(): number
  endBefore(frame: number): number
  spans(within: Span): readonly Span[]
} {
  const runs: { from: number; to: number }[] = []
  let count = 0
  return {
    take(frame, voice) {
      const last = runs.at(-1)
      const goesOn = last?.to === frame
      if (voice < (goesOn ? rules.silence : rules.voice)) return false
      if (goesOn) last.to = frame + 1
      else runs.push({ from: frame, to: frame + 1 })
      count++
      return true
    },
    ms: () => count * frameMs,
    endBefore: (frame) => runs.findLast((run) => run.from < frame)?.to ?? frame,
    spans: (within) =>
      runs
        .map((run) => ({
          startMs: Math.max(within.startMs, run.from * frameMs),
          endMs: Math.min(within.endMs, run.to * frameMs),
        }))
        .filter((span) => span.endMs > span.startMs),
  }
}

/** Frames that the detector checks first to confirm that a segment is speech; doubled on every further check. */
const firstCheckFrames = 12

/** Returns the next frames to check while the detector has not found enough voice in a segment. */
function unconfirmed(frames: Frames, spans: readonly Span[]): FrameRange | null {
  let seen = 0
  let from: number | null = null
  for (const span of spans)
    for (let i = frameAt(span.startMs); i * frameMs < span.endMs; i++) {
      if (knownAt(frames, i) === known.detector) seen++
      else from ??= i
    }
  if (from === null || seen * frameMs >= rules.minVoiceMs) return null
  return { from, to: from + firstCheckFrames }
}

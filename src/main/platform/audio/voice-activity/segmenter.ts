import type { Segment, Span } from '../../../../shared/model/meeting.ts'
import {
  endOf,
  frameAt,
  frameMs,
  known,
  knownAt,
  voiceAt,
  type FrameRange,
  type Frames,
  framesOf,
  powerAt,
} from './frames.ts'
import { pauseThatEnds, rules } from './rules.ts'

/** Position where the analysis continues. `forced`: the preceding cut is within speech, and this is the overlap after it. */
export interface Place {
  readonly ms: number
  readonly forced: boolean
}

export type FoundSegment = Span & Pick<Segment, 'forcedStart' | 'forcedEnd' | 'voiced'>

/** Speech that has not ended, up to its last voice; its last sentence has probably ended at `sentenceEndMs`. */
export type OpenSpeech = Span & { readonly sentenceEndMs: number | null }

/** Segments found in a run of frames. */
export interface Finding {
  readonly segments: readonly FoundSegment[]
  /** Speech after the last segment; null if there is none yet. */
  readonly speech: OpenSpeech | null
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
  readonly speech?: OpenSpeech
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
    if (step.open) return { segments, place, speech: step.speech ?? null, questions }
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
  if (endMs === null) {
    const open = { segment: null, next: { ms: startMs, forced: from.forced }, open: true } as const
    if (voiced.ms() < rules.minVoiceMs) return { ...open, questions: [] }
    const voicedMs = voiceEnd * frameMs
    const nowMs = end * frameMs
    const speech = {
      startMs,
      endMs: Math.min(nowMs, voicedMs + rules.padAfterMs),
      sentenceEndMs: voiced.sentenceEndMs(end),
    }
    return { ...open, speech, questions: [] }
  }
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
  /** Where the voice ended before the last pause between sentences; `frame` is the next one. */
  sentenceEndMs(frame: number): number | null
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
    sentenceEndMs(frame) {
      const pause = framesOf(rules.sentencePauseMs)
      const last = runs.findLast((run, at) => (runs[at + 1]?.from ?? frame) - run.to >= pause)
      return last ? last.to * frameMs : null
    },
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

/** Cut of speech that reached the maximum length: in the middle of `frame`, between two words or (`forced`) through one. */
interface Cut {
  readonly frame: number
  readonly forced: boolean
  /** Frames that affect the choice and that the detector has not processed. */
  readonly question: FrameRange | null
}

/** Pauses shorter than this may be the closure of a consonant: the detector checks them. */
const plainPauseFrames = framesOf(300)

/**
 * Chooses the cut of a segment that continues to frame `end`: in the longest pause of the last 10 s (15 s if those contain no
 * comfortable one), at the quietest 100 ms of its middle half; without a pause at the quietest 100 ms of the last 3 s.
 */
function chooseCut(frames: Frames, end: number): Cut {
  const near = longestPause(frames, end - framesOf(rules.lookBackMs), end)
  const pause = near && near.to - near.from >= framesOf(rules.comfortableMs) ? near : further()
  if (pause) {
    const quarter = Math.floor((pause.to - pause.from) / 4)
    const frame = quietest(frames, pause.from + quarter, pause.to - quarter)
    return { frame, forced: false, question: doubt(pause) }
  }
  const last = Math.max(frames.first, end - framesOf(rules.forcedLookBackMs))
  const question = { from: Math.max(frames.first, end - framesOf(rules.lookBackMs)), to: end }
  return {
    frame: quietest(frames, last, end),
    forced: true,
    question: unseen(frames, question) ? question : null,
  }

  function further(): FrameRange | null {
    const far = longestPause(frames, end - framesOf(rules.lookFurtherMs), end)
    if (!near || !far) return far
    // A later cut makes fewer segments: an earlier pause must be clearly better.
    return far.to - far.from >= 1.5 * (near.to - near.from) ? far : near
  }

  function doubt(run: FrameRange): FrameRange | null {
    if (run.to - run.from >= plainPauseFrames || !unseen(frames, run)) return null
    return { from: Math.max(frames.first, run.from - 2), to: Math.min(end, run.to + 2) }
  }
}

/** Whether the detector has not processed a frame of the range. */
function unseen(frames: Frames, range: FrameRange): boolean {
  for (let i = Math.max(frames.first, range.from); i < Math.min(endOf(frames), range.to); i++)
    if (knownAt(frames, i) < known.detector) return true
  return false
}

/** Returns the longest run without voice, the latest of equals; null if none is long enough to cut in. */
function longestPause(frames: Frames, from: number, to: number): FrameRange | null {
  let best: FrameRange | null = null
  let start = Math.max(frames.first, from)
  for (let i = start; i <= to; i++) {
    if (i < to && voiceAt(frames, i) < rules.silence) continue
    if (i - start >= rules.minPauseMs / frameMs && (!best || i - start >= best.to - best.from))
      best = { from: start, to: i }
    start = i + 1
  }
  return best
}

/** Returns the frame in the middle of the quietest three (96 ms), of equals the nearest to the middle. */
function quietest(frames: Frames, from: number, to: number): number {
  const middle = Math.floor((from + to) / 2)
  let best = middle
  let minPower = Infinity
  for (let i = from + 1; i < to - 1; i++) {
    const power = powerAt(frames, i - 1) + powerAt(frames, i) + powerAt(frames, i + 1)
    if (power > minPower) continue
    if (power === minPower && Math.abs(i - middle) >= Math.abs(best - middle)) continue
    minPower = power
    best = i
  }
  return best
}

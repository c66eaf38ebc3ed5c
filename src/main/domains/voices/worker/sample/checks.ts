import {
  sampleRules,
  type SampleCheck,
  type SampleFix,
} from '../../../../../shared/model/sample.ts'
import type { Measures } from './measure.ts'

/** Thresholds of the checks. Milliseconds, decibels, shares. */
const lines = {
  minSpokenMs: 1000,
  share: { warn: 0.6, bad: 0.3 },
  snr: { warn: 25, bad: 15 },
  clips: { warn: 3, bad: 20 },
  /**
   * Maximum shares of speech that may be clipped, and clipped in long runs, for a repair: beyond them it removes less than half
   * the error.
   */
  repairable: { clipped: 0.2, long: 0.2 },
  /** Decibels that the level of speech may differ from the target. */
  loudness: { warn: 6, bad: 22 },
  pauseMs: 1000,
  edgeMs: 500,
  offset: { warn: 0.005, bad: 0.05 },
} as const

/** Silence that remains at each end, and of a long pause. */
export const left = { edgeMs: 200, pauseMs: 500 } as const

/** Returns the results of the checks for the measures, in display order. */
export function checksOf(measures: Measures): readonly SampleCheck[] {
  const { spokenMs } = measures
  const silent = spokenMs < lines.minSpokenMs
  return [
    lengthCheck(measures),
    speechCheck(measures),
    // Silence cannot be checked for anything else.
    ...(silent ? [] : [speakersCheck(measures)]),
    clippingCheck(measures),
    ...(silent
      ? []
      : [
          noiseCheck(measures),
          loudnessCheck(measures),
          pausesCheck(measures),
          edgesCheck(measures),
        ]),
    offsetCheck(measures),
  ]
}

const check = (
  name: SampleCheck['name'],
  state: SampleCheck['state'],
  reason: string,
  values: SampleCheck['values'],
  fix: SampleFix | null = null,
): SampleCheck => ({ name, state, reason, values, fix: state === 'good' ? null : fix })

const worse = (value: number, line: { warn: number; bad: number }): SampleCheck['state'] =>
  value > line.bad ? 'bad' : value > line.warn ? 'warn' : 'good'

function lengthCheck({ durationMs, speech }: Measures): SampleCheck {
  const { minMs, maxMs } = sampleRules
  if (durationMs < minMs) return check('length', 'bad', 'short', { ms: durationMs })
  if (durationMs <= maxMs) return check('length', 'good', 'fits', { ms: durationMs })
  return check('length', 'bad', 'long', { ms: durationMs }, bestRange(speech, durationMs))
}

/** Returns the range of a long sample with the most speech, ending in a pause if there is one. */
function bestRange(speech: Measures['speech'], durationMs: number): SampleFix {
  const maxMs = sampleRules.recordMs
  const begins = speech.map(([start]) => Math.max(0, start - left.edgeMs))
  let best = { startMs: 0, endMs: Math.min(maxMs, durationMs), spoken: -1 }
  for (const startMs of begins) {
    const inside = speech.filter(
      ([from, to]) => from >= startMs && to + left.edgeMs <= startMs + maxMs,
    )
    const spoken = inside.reduce((sum, [from, to]) => sum + to - from, 0)
    const endMs = Math.min(durationMs, (inside.at(-1)?.[1] ?? startMs + maxMs) + left.edgeMs)
    if (spoken > best.spoken) best = { startMs, endMs, spoken }
  }
  return { type: 'trim', startMs: best.startMs, endMs: best.endMs }
}

function speechCheck({ spokenMs, durationMs, speech }: Measures): SampleCheck {
  const share = durationMs === 0 ? 0 : spokenMs / durationMs
  const values = { share, ms: spokenMs }
  if (spokenMs < lines.minSpokenMs) return check('speech', 'bad', 'silent', values)
  const state = worse(1 - share, { warn: 1 - lines.share.warn, bad: 1 - lines.share.bad })
  const fix = longestPause(speech).ms > lines.pauseMs ? 'pauses' : 'edges'
  return check('speech', state, state === 'good' ? 'enough' : 'little', values, { type: fix })
}

function speakersCheck({ speakers, durationMs, speechDb, noiseDb }: Measures): SampleCheck {
  const { found, together, semitones, change, part } = speakers
  const changeMs = change === null ? -1 : change[1] * 10
  const values = { together, semitones, changeMs }
  // Noise hides a second voice, as it hides everything else.
  if (found === 'one' && speechDb - noiseDb < lines.snr.bad)
    return check('speakers', 'warn', 'noisy', values)
  if (found === 'one') return check('speakers', 'good', 'one', values)
  if (found === 'unsure') return check('speakers', 'warn', 'unsure', values)
  const [from = 0, to = 0] = part ?? []
  const range = { startMs: Math.round(from * 10), endMs: Math.round(Math.min(durationMs, to * 10)) }
  const fits = part !== null && range.endMs - range.startMs >= sampleRules.minMs
  return check('speakers', 'bad', found, values, fits ? { type: 'trim', ...range } : null)
}

function clippingCheck(measures: Measures): SampleCheck {
  const { clips, clipped, clippedLong, durationMs, speech } = measures
  const state = worse(clips, lines.clips)
  const values = { count: clips, share: clipped }
  if (state === 'good') return check('clipping', state, 'clean', values)
  const { repairable } = lines
  if (clipped > repairable.clipped || clippedLong > repairable.long)
    return check('clipping', state, 'lost', values)
  // Half a minute takes up to half a minute to process: longer audio is cut first.
  const fix: SampleFix =
    durationMs > sampleRules.maxMs ? bestRange(speech, durationMs) : { type: 'clipping' }
  return check('clipping', state, 'clipped', values, fix)
}

function noiseCheck({ speechDb, noiseDb }: Measures): SampleCheck {
  const snr = speechDb - noiseDb
  const state = worse(-snr, { warn: -lines.snr.warn, bad: -lines.snr.bad })
  const reason = state === 'good' ? 'quiet' : 'noisy'
  return check('noise', state, reason, { snr, noiseDb }, { type: 'noise' })
}

function loudnessCheck({ speechDb, peakDb }: Measures): SampleCheck {
  const away = speechDb - sampleRules.speechDb
  const values = { db: speechDb, peakDb }
  const state = worse(Math.abs(away), lines.loudness)
  const reason = state === 'good' ? 'fine' : away < 0 ? 'faint' : 'loud'
  return check('loudness', state, reason, values, { type: 'loudness' })
}

/** Returns the longest pause between two ranges of speech. */
function longestPause(speech: Measures['speech']): {
  readonly ms: number
  readonly atMs: number
} {
  let longest = { ms: 0, atMs: 0 }
  for (const [i, [start]] of speech.entries()) {
    const end = speech[i - 1]?.[1] ?? start
    if (start - end > longest.ms) longest = { ms: start - end, atMs: end }
  }
  return longest
}

function pausesCheck({ speech }: Measures): SampleCheck {
  const { ms, atMs } = longestPause(speech)
  const count = speech.filter(
    ([start], i) => start - (speech[i - 1]?.[1] ?? start) > lines.pauseMs,
  ).length
  const state = count > 0 ? 'warn' : 'good'
  return check(
    'pauses',
    state,
    count > 0 ? 'long' : 'short',
    { ms, atMs, count },
    {
      type: 'pauses',
    },
  )
}

function edgesCheck({ speech, durationMs }: Measures): SampleCheck {
  const before = speech[0]?.[0] ?? 0
  const after = durationMs - (speech.at(-1)?.[1] ?? durationMs)
  const state = Math.max(before, after) > lines.edgeMs ? 'warn' : 'good'
  const reason = state === 'good' ? 'short' : 'long'
  return check('edges', state, reason, { before, after }, { type: 'edges' })
}

function offsetCheck({ offset }: Measures): SampleCheck {
  const state = worse(Math.abs(offset), lines.offset)
  return check(
    'offset',
    state,
    state === 'good' ? 'none' : 'some',
    { share: Math.abs(offset) },
    {
      type: 'offset',
    },
  )
}

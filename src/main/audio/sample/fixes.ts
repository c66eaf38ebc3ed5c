import { sampleRules, type SampleFix } from '../../../shared/model/sample.ts'
import { checksOf, left } from './checks.ts'
import { declipped } from './declip.ts'
import { denoised } from './denoise.ts'
import type { Measures } from './measure.ts'

/** Duration of the crossfade between two ends, in milliseconds. */
const fadeMs = 10
/** Maximum gain in dB: more would only amplify noise. */
const maxGain = 40

/** Returns the sample (-1 to 1) after a fix, as a new array. */
export function fixed(
  audio: Float32Array,
  rate: number,
  fix: SampleFix,
  ground: Measures,
): Float32Array<ArrayBuffer> {
  const frames = (ms: number): number => Math.round((ms / 1000) * rate)
  const { speech } = ground
  switch (fix.type) {
    case 'trim':
      return faded(audio.slice(frames(fix.startMs), frames(fix.endMs)), rate)
    case 'edges':
      return faded(audio.slice(...edgesOf(speech, audio.length, frames)), rate)
    case 'pauses':
      return withoutPauses(audio, rate, speech)
    case 'offset':
      return audio.map((sample) => sample - ground.offset)
    case 'loudness':
      return louder(audio, ground.speechDb)
    case 'noise':
      return denoised(audio, rate, speech)
    case 'clipping':
      return declipped(audio, rate)
    case 'all':
      return allFixed(audio, rate, ground)
  }
}

/**
 * Applies all reported fixes in an order in which none spoils the next: peaks first, while they are still at the clipping level.
 */
function allFixed(audio: Float32Array, rate: number, ground: Measures): Float32Array<ArrayBuffer> {
  const { speech } = ground
  const named = new Set(checksOf(ground).flatMap(({ fix }) => (fix ? [fix.type] : [])))
  const whole = named.has('clipping') ? declipped(audio, rate) : new Float32Array(audio)
  const middle = whole.reduce((sum, sample) => sum + sample, 0) / Math.max(1, whole.length)
  const level = whole.map((sample) => sample - middle)
  const clean = named.has('noise') ? denoised(level, rate, speech) : level
  const short = withoutPauses(clean, rate, speech)
  // Removed pauses do not move the beginning, but shift the end by their length.
  const frames = (ms: number): number => Math.round((ms / 1000) * rate)
  const [from, to] = edgesOf(speech, audio.length, frames)
  const cut = faded(short.slice(from, short.length - (audio.length - to)), rate)
  // Restoring peaks made everything quieter by as much as they stand out.
  const lowered = named.has('clipping') ? 20 * Math.log10(rmsOf(whole) / rmsOf(audio)) : 0
  return louder(cut, ground.speechDb + lowered)
}

function rmsOf(audio: Float32Array): number {
  let sum = 0
  for (const sample of audio) sum += sample * sample
  return Math.sqrt(sum / Math.max(1, audio.length)) + 1e-9
}

function edgesOf(
  speech: Measures['speech'],
  length: number,
  frames: (ms: number) => number,
): readonly [from: number, to: number] {
  const [first] = speech
  const last = speech.at(-1)
  if (!first || !last) return [0, length]
  return [
    Math.max(0, frames(first[0] - left.edgeMs)),
    Math.min(length, frames(last[1] + left.edgeMs)),
  ]
}

/** Cuts the middle out of pauses longer than a second, and crossfades the two ends. */
function withoutPauses(
  audio: Float32Array,
  rate: number,
  speech: Measures['speech'],
): Float32Array<ArrayBuffer> {
  const frames = (ms: number): number => Math.round((ms / 1000) * rate)
  const fade = frames(fadeMs)
  const parts: [from: number, to: number][] = []
  let from = 0
  for (const [i, [start]] of speech.entries()) {
    const end = speech[i - 1]?.[1]
    if (end === undefined || start - end <= 1000) continue
    parts.push([from, frames(end + left.pauseMs / 2)])
    from = frames(start - left.pauseMs / 2)
  }
  parts.push([from, audio.length])
  const overlaps = parts.length - 1
  const length = parts.reduce((sum, [a, b]) => sum + b - a, 0) - overlaps * fade
  const out = new Float32Array(Math.max(0, length))
  let at = 0
  for (const [n, [a, b]] of parts.entries()) {
    for (let i = a; i < b; i++) {
      const place = at + i - a
      const into = n > 0 && i - a < fade ? (i - a) / fade : 1
      const outOf = n < overlaps && b - i <= fade ? (b - i) / fade : 1
      out[place] = (out[place] ?? 0) + (audio[i] ?? 0) * into * outOf
    }
    at += b - a - fade
  }
  return out
}

/** Fades the beginning and the end, so that no cut causes a click. */
function faded(audio: Float32Array<ArrayBuffer>, rate: number): Float32Array<ArrayBuffer> {
  const fade = Math.min(audio.length >> 1, Math.round((rate * 5) / 1000))
  for (let i = 0; i < fade; i++) {
    audio[i] = (audio[i] ?? 0) * (i / fade)
    const end = audio.length - 1 - i
    audio[end] = (audio[end] ?? 0) * (i / fade)
  }
  return audio
}

/**
 * Raises speech to the target level of samples. Peaks above the limit are softly compressed, instead of keeping a whole faint
 * sample quiet because of one click.
 */
function louder(audio: Float32Array, speechDb: number): Float32Array<ArrayBuffer> {
  const gain = 10 ** (Math.min(maxGain, sampleRules.speechDb - speechDb) / 20)
  const cap = 10 ** (sampleRules.peakDb / 20)
  const knee = cap * 0.8
  return Float32Array.from(audio, (sample) => {
    const raised = sample * gain
    const size = Math.abs(raised)
    if (size <= knee) return raised
    const bent = knee + (cap - knee) * Math.tanh((size - knee) / (cap - knee))
    return Math.sign(raised) * bent
  })
}

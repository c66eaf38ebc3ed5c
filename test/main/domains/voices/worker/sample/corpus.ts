import { execFileSync } from 'node:child_process'
import { resampled } from './resampled.ts'

/** Returns speech of one espeak-ng voice at 16 kHz, -1 to 1, at half of the maximum level. */
export function says(voice: string, text: string, pitch = 50): Float32Array<ArrayBuffer> {
  const wav = execFileSync(
    'espeak-ng',
    ['-v', voice, '-s', '160', '-p', String(pitch), '--stdout', text],
    { maxBuffer: 16 * 1024 * 1024 },
  )
  const samples = Float32Array.from(
    { length: (wav.length - 44) >> 1 },
    (_, i) => wav.readInt16LE(44 + 2 * i) / 65_536,
  )
  return resampled(samples, 22_050, 16_000)
}

/** Sentences with different text, long enough to identify the speaker. */
export const sentences = [
  'Good morning everyone, let us begin with the plan for the spring version of the program. The import is finished, but the search needs one more week.',
  'I was walking along the river when the rain began, and nobody had thought of an umbrella. We laughed about it for the whole way home.',
  'Please write that down and send it to everybody after the meeting. First we measure, then we change one thing, and then we measure again.',
] as const

/** Concatenates audio with silence of this many milliseconds between. */
export function after(pauseMs: number, ...parts: readonly Float32Array[]): Float32Array {
  const pause = pauseMs * 16
  const whole = new Float32Array(
    parts.reduce((sum, part) => sum + part.length, pause * (parts.length - 1)),
  )
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length + pause
  }
  return whole
}

/** Mixes two signals, the second scaled by `share`. */
export const over = (a: Float32Array, b: Float32Array, share = 1): Float32Array =>
  Float32Array.from(
    { length: Math.max(a.length, b.length) },
    (_, i) => (a[i] ?? 0) + share * (b[i] ?? 0),
  )

/** Adds noise at this level in dB of full scale, the same each time. */
export function noisy(audio: Float32Array, db: number): Float32Array {
  const size = 10 ** (db / 20) * Math.sqrt(3)
  let seed = 7
  return audio.map((sample) => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return sample + size * (seed / 2_147_483_648 - 1)
  })
}

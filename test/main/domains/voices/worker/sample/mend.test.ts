import { describe, expect, test } from 'vitest'
import { loadSilero } from '../../../../../../src/main/platform/audio/voice-activity/silero.ts'
import { loadMoonshine } from '../../../../../../src/local-service/engines/moonshine.ts'
import { loadResampling } from '../../../../../../src/system/audio/resample.ts'
import { checksOf } from '../../../../../../src/main/domains/voices/worker/sample/checks.ts'
import { fixed } from '../../../../../../src/main/domains/voices/worker/sample/fixes.ts'
import { measuresOf } from '../../../../../../src/main/domains/voices/worker/sample/sample-program.ts'
import type { CheckName, SampleCheck } from '../../../../../../src/shared/model/sample.ts'
import { wordErrors, wordsOf } from '../../../../../local-service/fixtures/words.ts'
import { noisy, says, sentences } from './corpus.ts'
import { resampled } from './resampled.ts'

const tools = { resampling: await loadResampling(), silero: await loadSilero('resources/models') }
const rate = 24_000
const words = sentences[0].split('. ')[0] ?? ''
const clean = after600(resampled(says('en-us+f3', words), 16_000, rate))

/** Adds 0.6 s of silence on both sides, as in recordings. */
function after600(audio: Float32Array): Float32Array<ArrayBuffer> {
  const whole = new Float32Array(audio.length + 1.2 * rate)
  whole.set(audio, 0.6 * rate)
  return whole
}
const measured = (samples: Float32Array) =>
  measuresOf({ samples: new Float32Array(samples), rate }, tools)
const found = (
  of: Awaited<ReturnType<typeof measured>>,
  name: CheckName,
): SampleCheck | undefined => checksOf(of).find((check) => check.name === name)
const powerOf = (audio: Float32Array): number =>
  audio.reduce((sum, sample) => sum + sample * sample, 0)

/** Returns the signal-to-error ratio of audio compared with the true one in dB, independent of loudness. */
function nearness(truth: Float32Array, audio: Float32Array): number {
  const scale = truth.reduce((sum, sample, i) => sum + sample * (audio[i] ?? 0), 0) / powerOf(truth)
  const difference = powerOf(truth.map((sample, i) => (audio[i] ?? 0) - scale * sample))
  return 10 * Math.log10((scale * scale * powerOf(truth)) / difference)
}

/** Transcribes audio with the on-device engine and returns the number of word errors. */
const moonshine = await loadMoonshine('resources/models/moonshine-tiny')
async function wrongText(audio: Float32Array<ArrayBuffer>): Promise<number> {
  const resampledAudio = resampled(audio, rate, 16_000)
  const { text } = await moonshine.recognise(
    resampledAudio,
    () => {},
    () => false,
  )
  return wordErrors(wordsOf(words), wordsOf(text))
}

/** Adds noise of a kind, this many dB below speech, the same each time. */
function withNoise(kind: 'hiss' | 'hum', below: number): Float32Array<ArrayBuffer> {
  let seed = 7
  const noise = clean.map((_, i) => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
    const hiss = seed / 2_147_483_648 - 1
    if (kind === 'hiss') return hiss
    return [50, 150, 250].reduce(
      (sum, hz) => sum + Math.sin((2 * Math.PI * hz * i) / rate) / Math.sqrt(hz / 50),
      hiss * 0.2,
    )
  })
  const spoken = powerOf(clean) / (clean.length - 1.2 * rate)
  const gain = Math.sqrt((spoken * noise.length) / powerOf(noise) / 10 ** (below / 10))
  return clean.map((sample, i) => sample + gain * (noise[i] ?? 0))
}

describe('noise removal', () => {
  test.each(['hiss', 'hum'] as const)('removes %s and preserves the voice', async (kind) => {
    const spoilt = withNoise(kind, 14)
    const before = await measured(spoilt)
    expect(found(before, 'noise')).toMatchObject({ fix: { type: 'noise' } })
    const out = fixed(spoilt, rate, { type: 'noise' }, before)
    const after = await measured(out)
    expect(found(after, 'noise')?.state).toBe('good')
    // Closer to the signal without noise, with no speech missing or fainter.
    expect(nearness(clean, out) - nearness(clean, spoilt)).toBeGreaterThan(4)
    expect(after.spokenMs / before.spokenMs).toBeCloseTo(1, 1)
    expect(Math.abs(after.speechDb - before.speechDb)).toBeLessThan(0.7)
    expect(await wrongText(out)).toBeLessThanOrEqual(await wrongText(spoilt))
  })
  test('leaves clean audio unchanged, except for its own faint noise', async () => {
    expect(
      nearness(clean, fixed(clean, rate, { type: 'noise' }, await measured(clean))),
    ).toBeGreaterThan(30)
  })
})

/** Returns audio clipped by this many dB. */
const overdriven = (gain: number): Float32Array<ArrayBuffer> => {
  const peak = clean.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0)
  const loud = 10 ** (gain / 20) / peak
  return clean.map((sample) => Math.max(-1, Math.min(1, sample * loud)))
}

describe('restoration of clipped peaks', () => {
  test.each([
    [6, 12],
    [10, 6],
  ])('restores speech %i dB too loud', async (gain, better) => {
    const cut = overdriven(gain)
    const before = await measured(cut)
    expect(found(before, 'clipping')).toMatchObject({
      reason: 'clipped',
      fix: { type: 'clipping' },
    })
    const out = fixed(cut, rate, { type: 'clipping' }, before)
    expect(nearness(clean, out) - nearness(clean, cut)).toBeGreaterThan(better)
    expect(out.every((sample) => Math.abs(sample) <= 10 ** (-1 / 20) + 1e-6)).toBe(true)
    expect(found(await measured(out), 'clipping')?.state).toBe('good')
  })
  test('restores audio resampled after the microphone', async () => {
    const changed = resampled(resampled(overdriven(8), rate, 16_000), 16_000, rate)
    const cut = changed.map((sample) => Math.max(-1, Math.min(1, sample)))
    const out = fixed(cut, rate, { type: 'clipping' }, await measured(cut))
    const truth = resampled(resampled(clean, rate, 16_000), 16_000, rate)
    expect(nearness(truth, out) - nearness(truth, cut)).toBeGreaterThan(3)
  })
  test('detects clipping where noise blurred the edge', async () => {
    const worn = noisy(overdriven(8), -36).map((sample) => sample / 2)
    expect(found(await measured(worn), 'clipping')).toMatchObject({ reason: 'clipped' })
  })
  test('offers only a new recording where too much is lost', async () => {
    expect(found(await measured(overdriven(30)), 'clipping')).toMatchObject({
      state: 'bad',
      reason: 'lost',
      fix: null,
    })
  })
})

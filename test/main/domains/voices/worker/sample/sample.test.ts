import { describe, expect, test } from 'vitest'
import type { CheckName, SampleReport } from '../../../../../../src/shared/model/sample.ts'
import { loadSilero } from '../../../../../../src/main/platform/audio/voice-activity/silero.ts'
import { loadResampling } from '../../../../../../src/system/audio/resample.ts'
import { fixed } from '../../../../../../src/main/domains/voices/worker/sample/fixes.ts'
import {
  measuresOf,
  reportOf,
} from '../../../../../../src/main/domains/voices/worker/sample/sample-program.ts'
import type { SampleFix } from '../../../../../../src/shared/model/sample.ts'
import { after, noisy, over, says, sentences } from './corpus.ts'

const tools = { resampling: await loadResampling(), silero: await loadSilero('resources/models') }
const [first, second, third] = sentences
const her = says('en-us+f2', first)
const him = says('en-us+m3', second)
const his = says('en-us+m7', third)
/** Returns the number of samples of this many seconds. */
const seconds = (of: number): number => 16_000 * of

const report = (samples: Float32Array): Promise<SampleReport> =>
  reportOf({ samples: new Float32Array(samples), rate: 16_000 }, tools)
const verdicts = (of: SampleReport): Partial<Record<CheckName, string>> =>
  Object.fromEntries(of.checks.map(({ name, state, reason }) => [name, `${state} ${reason}`]))
const after16 = async (samples: Float32Array, fix: SampleFix): Promise<Float32Array> =>
  fixed(
    samples,
    16_000,
    fix,
    await measuresOf({ samples: new Float32Array(samples), rate: 16_000 }, tools),
  )

test('reports no problem for a clean sample of one voice', async () => {
  const good = await report(noisy(her, -70))
  expect(verdicts(good)).toEqual({
    length: 'good fits',
    speech: 'good enough',
    speakers: 'good one',
    clipping: 'good clean',
    noise: 'good quiet',
    loudness: 'good fine',
    pauses: 'good short',
    edges: 'good short',
    offset: 'good none',
  })
  expect(good.peaks).toHaveLength(3000)
  expect(good.speech.length).toBeGreaterThan(1)
})

describe('detection of several speakers', () => {
  test.each([
    ['a woman and a man', 'en-us+f2', 50, 'en-us+m3', 50, 0.5],
    ['a high and a low voice', 'en-us+f4', 50, 'en-us', 20, 0.5],
    ['two languages', 'cmn', 50, 'en-us+f5', 50, 0.9],
  ])('detects %s', async (_name, one, pitchOfOne, other, pitchOfOther, share) => {
    const a = says(
      one,
      one === 'cmn'
        ? '今天天气很好，我们一起去公园散步吧。孩子们在草地上奔跑，老人坐在长椅上聊天。'
        : first,
      pitchOfOne,
    ).slice(0, seconds(5))
    const b = says(other, second, pitchOfOther).slice(0, seconds(5))
    const later = (await report(after(300, a, b))).checks.find(({ name }) => name === 'speakers')
    expect(later).toMatchObject({ state: 'bad', reason: 'change' })
    // Where the other voice begins, within half a second.
    expect(Math.abs((later?.values['changeMs'] ?? 0) - a.length / 16 - 300)).toBeLessThan(500)
    expect(verdicts(await report(over(a, b, share))).speakers).toBe('bad together')
  })
  test('detects voices of the same type and pitch', async () => {
    const two = after(300, him, says('en-us+m1', third))
    expect(verdicts(await report(two)).speakers).toBe('bad change')
  })
  test.each([
    [
      'the other speaker follows',
      after(300, her.slice(0, seconds(6)), him.slice(0, seconds(4))),
      0,
    ],
    [
      'the other speaker interrupts',
      after(
        300,
        him.slice(0, seconds(3)),
        her.slice(0, seconds(6)),
        him.slice(seconds(3), seconds(6)),
      ),
      3300,
    ],
    [
      'both speak at the end',
      after(0, her.slice(0, seconds(6)), over(him, his).slice(0, seconds(4))),
      0,
    ],
  ])('offers the longest part with one voice where %s', async (_name, both, from) => {
    const fix = (await report(both)).checks.find(({ name }) => name === 'speakers')?.fix
    expect(fix).toMatchObject({ type: 'trim' })
    if (fix?.type !== 'trim') return
    expect(Math.abs(fix.startMs - from)).toBeLessThan(500)
    expect(fix.endMs - fix.startMs).toBeGreaterThan(5000)
    expect(verdicts(await report(await after16(both, fix))).speakers).toBe('good one')
  })
})

test.each(['en-us+m1', 'en-us+klatt', 'en-us+croak'])(
  'treats one voice with different text as one speaker: %s',
  async (voice) => {
    const audio = after(400, says(voice, first), says(voice, second).slice(0, seconds(5)))
    expect(verdicts(await report(audio)).speakers).toBe('good one')
  },
)

test('reports problems that a fix resolves', async () => {
  const silent = verdicts(await report(noisy(new Float32Array(seconds(5)), -80)))
  expect(silent).toMatchObject({ speech: 'bad silent', length: 'good fits' })
  expect(silent.speakers).toBeUndefined()

  const short = await report(her.slice(0, seconds(2)))
  expect(verdicts(short).length).toBe('bad short')
  const long = after(200, her, him, her, him)
  const trim = (await report(long)).checks.find(({ name }) => name === 'length')?.fix
  expect(trim).toMatchObject({ type: 'trim' })
  if (trim) expect((await after16(long, trim)).length / 16_000).toBeLessThanOrEqual(30)

  const she = her.slice(0, seconds(3.2))
  const loud = she.map((sample) => Math.max(-1, Math.min(1, sample * 6)))
  expect(verdicts(await report(loud)).clipping).toBe('bad clipped')
  // Clipping is still detected after the level was lowered.
  expect(verdicts(await report(loud.map((sample) => sample * 0.3))).clipping).toBe('bad clipped')

  expect(verdicts(await report(noisy(she, -32))).noise).toBe('bad noisy')
  expect(verdicts(await report(noisy(she, -42))).noise).toBe('warn noisy')

  const faint = she.map((sample) => sample * 0.05)
  expect(verdicts(await report(faint)).loudness).toMatch(/faint/)
  const raised = await after16(faint, { type: 'loudness' })
  expect(verdicts(await report(raised)).loudness).toBe('good fine')
  expect(raised.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0)).toBeLessThan(
    10 ** (-1 / 20) + 1e-6,
  )

  const pausing = after(3000, she.slice(0, 32_000), she.slice(32_000))
  expect(verdicts(await report(pausing)).pauses).toBe('warn long')
  const closed = await after16(pausing, { type: 'pauses' })
  expect(verdicts(await report(closed)).pauses).toBe('good short')
  // All speech is still there: only the pause was removed.
  expect(closed.length / 16_000).toBeCloseTo(pausing.length / 16_000 - 2.5, 0)

  const late = after(0, noisy(new Float32Array(seconds(2)), -75), she, new Float32Array(24_000))
  expect(verdicts(await report(late)).edges).toBe('warn long')
  expect(verdicts(await report(await after16(late, { type: 'edges' }))).edges).toBe('good short')

  const shifted = she.map((sample) => sample + 0.03)
  expect(verdicts(await report(shifted)).offset).toBe('warn some')
  expect(verdicts(await report(await after16(shifted, { type: 'offset' }))).offset).toBe(
    'good none',
  )
})

test('fixes all fixable problems in one step', async () => {
  const bad = after(
    0,
    new Float32Array(24_000),
    after(2500, her.slice(0, 64_000), her.slice(64_000)),
    new Float32Array(24_000),
  ).map((sample) => sample * 0.06 + 0.02)
  const fine = verdicts(await report(await after16(bad, { type: 'all' })))
  expect(fine).toMatchObject({
    loudness: 'good fine',
    pauses: 'good short',
    edges: 'good short',
    offset: 'good none',
    clipping: 'good clean',
  })
})

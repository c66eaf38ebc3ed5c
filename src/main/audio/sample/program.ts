import { transcriptionRate } from '../../../shared/model/meeting.ts'
import type { SampleReport } from '../../../shared/model/sample.ts'
import { loadSilero, type Silero } from '../voice-activity/silero.ts'
import { failedBy } from '../failed.ts'
import { loadResampling, type Resampling } from '../resample.ts'
import { checksOf } from './checks.ts'
import { fixed } from './fixes.ts'
import { measure, type Measures } from './measure.ts'
import type { SampleAnswer, SampleRequest } from './messages.ts'
import { packed } from './pack.ts'
import { findSpeech } from './speech.ts'
import { resample, takeFile, takeSpan, waveOf, type AudioData } from './sample-version.ts'

/** What looking through a sample needs. */
export interface SampleTools {
  readonly resampling: Resampling
  readonly silero: Silero | null
}

/** Columns of the waveform. */
const columns = 1500

/** Measures a sample; `full` with the speakers in it. */
export async function measuresOf(
  { samples, rate }: AudioData,
  tools: SampleTools,
): Promise<Measures> {
  const heard = resample(samples, rate, transcriptionRate, tools.resampling)
  return measure(samples, rate, heard, await findSpeech(heard, tools.silero))
}

/** What a sample is like. */
export async function reportOf(sound: AudioData, tools: SampleTools): Promise<SampleReport> {
  const measures = await measuresOf(sound, tools)
  return {
    durationMs: measures.durationMs,
    sampleRate: sound.rate,
    bytes: 44 + sound.samples.length * 2,
    checks: checksOf(measures),
    peaks: peaksOf(sound.samples),
    speech: measures.speech,
  }
}

function peaksOf(samples: Float32Array): readonly number[] {
  const count = Math.min(columns, samples.length)
  const peaks: number[] = []
  for (let column = 0; column < count; column++) {
    const from = Math.floor((column * samples.length) / count)
    const to = Math.floor(((column + 1) * samples.length) / count)
    let least = 1
    let most = -1
    for (let i = from; i < to; i++) {
      const sample = samples[i] ?? 0
      if (sample < least) least = sample
      if (sample > most) most = sample
    }
    peaks.push(Math.round(Math.max(-1, least) * 127), Math.round(Math.min(1, most) * 127))
  }
  return peaks
}

/** Answers the requests about samples, one after the other. */
export function createSampleProgram(
  modelsDir: string,
): (request: SampleRequest) => Promise<SampleAnswer> {
  let loaded: Promise<SampleTools> | null = null
  const load = (): Promise<SampleTools> =>
    (loaded ??= Promise.all([loadResampling(), loadSilero(modelsDir)]).then(
      ([resampling, silero]) => ({ resampling, silero }),
      (error: unknown) => {
        loaded = null
        throw error
      },
    ))
  let last: Promise<unknown> = Promise.resolve()

  async function answer(request: SampleRequest): Promise<SampleAnswer> {
    if (request.type === 'pack') return { type: 'packed', bytes: await packed(request.entries) }
    const tools = await load()
    switch (request.type) {
      case 'take': {
        const sound = await takeFile(request.path, tools.resampling)
        return { type: 'made', bytes: waveOf(sound), more: sound.more }
      }
      case 'cut': {
        const { folder, channel, span } = request
        const sound = takeSpan(folder, channel, span, tools.resampling)
        return { type: 'made', bytes: waveOf(sound), more: false }
      }
      case 'look': {
        const sound = await takeFile(request.path, tools.resampling, Infinity)
        return { type: 'report', report: await reportOf(sound, tools) }
      }
      case 'fix': {
        const sound = await takeFile(request.path, tools.resampling, Infinity)
        const ground = await measuresOf(sound, tools)
        const samples = fixed(sound.samples, sound.rate, request.fix, ground)
        return { type: 'made', bytes: waveOf({ samples, rate: sound.rate }), more: false }
      }
    }
  }

  return (request) => {
    const turn = last.then(() => answer(request)).catch(failedBy)
    last = turn.catch(() => undefined)
    return turn
  }
}

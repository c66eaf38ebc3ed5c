import { readFile } from 'node:fs/promises'
import { strToU8, zipSync } from 'fflate'
import { transcriptionRate } from '../../../../../shared/model/meeting.ts'
import type { SampleReport } from '../../../../../shared/model/sample.ts'
import { zipDate } from '../../../../platform/export-files/zip.ts'
import { failedBy } from '../../../../platform/workers/failed.ts'
import { loadResampling, resample, type Resampling } from '../../../../../system/audio/resample.ts'
import { loadSilero, type Silero } from '../../../../platform/audio/voice-activity/silero.ts'
import { checksOf } from './checks.ts'
import { fixed } from './fixes.ts'
import { measure, type Measures } from './measure.ts'
import type { SampleAnswer, SampleRequest, PackEntry } from './messages.ts'
import { takeFile, takeSpan, waveOf, type MonoAudio } from './read-sample.ts'
import { findSpeech } from './sample-speech.ts'

/** Tools for analyzing a sample. */
interface SampleTools {
  readonly resampling: Resampling
  readonly silero: Silero | null
}

/** Number of columns of the waveform. */
const columns = 1500

/** Measures a sample; `full` includes the speakers. */
export async function measuresOf(
  { samples, rate }: MonoAudio,
  tools: SampleTools,
): Promise<Measures> {
  const resampled = resample(samples, rate, transcriptionRate, tools.resampling)
  return measure(samples, rate, resampled, await findSpeech(resampled, tools.silero))
}

/** Builds the report on a sample. */
export async function reportOf(audio: MonoAudio, tools: SampleTools): Promise<SampleReport> {
  const measures = await measuresOf(audio, tools)
  return {
    durationMs: measures.durationMs,
    sampleRate: audio.rate,
    bytes: 44 + audio.samples.length * 2,
    checks: checksOf(measures),
    peaks: peaksOf(audio.samples),
    speech: measures.speech,
  }
}

function peaksOf(samples: Float32Array): readonly number[] {
  const count = Math.min(columns, samples.length)
  const peaks: number[] = []
  for (let column = 0; column < count; column++) {
    const from = Math.floor((column * samples.length) / count)
    const to = Math.floor(((column + 1) * samples.length) / count)
    let min = 1
    let max = -1
    for (let i = from; i < to; i++) {
      const sample = samples[i] ?? 0
      if (sample < min) min = sample
      if (sample > max) max = sample
    }
    peaks.push(Math.round(Math.max(-1, min) * 127), Math.round(Math.min(1, max) * 127))
  }
  return peaks
}

/** Processes the requests about samples, one after the other. */
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
        const audio = await takeFile(request.path, tools.resampling)
        return { type: 'made', bytes: waveOf(audio), more: audio.more }
      }
      case 'cut': {
        const { folder, channel, span } = request
        const audio = takeSpan(folder, channel, span, tools.resampling)
        return { type: 'made', bytes: waveOf(audio), more: false }
      }
      case 'inspect': {
        const audio = await takeFile(request.path, tools.resampling, Infinity)
        return { type: 'report', report: await reportOf(audio, tools) }
      }
      case 'fix': {
        const audio = await takeFile(request.path, tools.resampling, Infinity)
        const ground = await measuresOf(audio, tools)
        const samples = fixed(audio.samples, audio.rate, request.fix, ground)
        return { type: 'made', bytes: waveOf({ samples, rate: audio.rate }), more: false }
      }
    }
  }

  return (request) => {
    const turn = last.then(() => answer(request)).catch(failedBy)
    last = turn.catch(() => undefined)
    return turn
  }
}

/** Packs a few files and texts into one archive in memory: samples are small. */
async function packed(entries: readonly PackEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  const files: Record<string, Uint8Array> = {}
  for (const entry of entries)
    files[entry.name] = 'path' in entry ? await readFile(entry.path) : strToU8(entry.text)
  return zipSync(files, { level: 0, mtime: zipDate })
}

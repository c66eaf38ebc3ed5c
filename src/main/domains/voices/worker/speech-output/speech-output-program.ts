import { cutText } from '../../../../../shared/voices/split.ts'
import { failedBy, type Failed } from '../../../../platform/workers/failed.ts'
import { loadResampling, type Resampling } from '../../../../../system/audio/resample.ts'
import { clipsToTranscribe, type CheckClip } from './check-speech.ts'
import { inspectTake, type TakeAudio } from './inspect-audio.ts'
import {
  writeSpeechOutput,
  type ExportWork,
  type JoinWork,
  type Written,
  type WriteSteps,
} from './write-audio.ts'

/** Requests to the program that processes synthesized audio. */
export type SpeechOutputRequest =
  /** Analyzes a take: its length, where the voice is, its loudness. */
  | { readonly type: 'inspect'; readonly path: string }
  /** Splits a take into clips that fit into one request. */
  | { readonly type: 'hear'; readonly path: string }
  /** Splits a text; done here because long texts take longer than a frame. */
  | { readonly type: 'cut'; readonly text: string; readonly maxChars: number }
  /** Starts writing; `more` continues. */
  | { readonly type: 'write'; readonly job: string; readonly work: JoinWork | ExportWork }
  | { readonly type: 'more'; readonly job: string }
  | { readonly type: 'abandon'; readonly job: string }

/** Responses of the program. */
export type SpeechOutputAnswer =
  | { readonly type: 'inspect'; readonly audio: TakeAudio }
  | { readonly type: 'hear'; readonly clips: readonly CheckClip[] }
  | { readonly type: 'cut'; readonly cuts: Uint32Array<ArrayBuffer> }
  | { readonly type: 'going' }
  | { readonly type: 'written'; readonly written: Written }
  /** Unknown job: the program was restarted since the job began. */
  | { readonly type: 'unknown' }
  | { readonly type: 'none' }
  | Failed

/** Samples written before other requests get their turn: a fraction of a second of work. */
const samplesPerStep = 2_000_000

/** Creates a program that handles requests in order; a failed job ends and leaves nothing behind. */
export function createSpeechOutputProgram(): (
  request: SpeechOutputRequest,
) => Promise<SpeechOutputAnswer> {
  const jobs = new Map<string, WriteSteps>()
  let resampling: Promise<Resampling> | null = null
  const resampled = (): Promise<Resampling> => (resampling ??= loadResampling())
  let last: Promise<unknown> = Promise.resolve()

  async function answer(request: SpeechOutputRequest): Promise<SpeechOutputAnswer> {
    switch (request.type) {
      case 'inspect':
        return { type: 'inspect', audio: await inspectTake(request.path) }
      case 'hear':
        return { type: 'hear', clips: await clipsToTranscribe(request.path, await resampled()) }
      case 'cut':
        return { type: 'cut', cuts: cutText(request.text, request.maxChars) }
      case 'write':
        jobs.set(request.job, writeSpeechOutput(request.work, await resampled()))
        return { type: 'going' }
      case 'more':
        return continueJob(request.job)
      case 'abandon': {
        const job = jobs.get(request.job)
        jobs.delete(request.job)
        // Its files are deleted as it ends.
        await job?.return({ rate: 0, samples: 0, segments: [] })
        return { type: 'none' }
      }
    }
  }

  async function continueJob(name: string): Promise<SpeechOutputAnswer> {
    const job = jobs.get(name)
    if (!job) return { type: 'unknown' }
    try {
      for (let samples = 0; samples < samplesPerStep;) {
        const step = await job.next()
        if (step.done) {
          jobs.delete(name)
          return { type: 'written', written: step.value }
        }
        samples += step.value
      }
      return { type: 'going' }
    } catch (error) {
      jobs.delete(name)
      throw error
    }
  }

  return (request) => {
    // The user is waiting for the segments of a text: other writes must not delay them.
    if (request.type === 'cut') return answer(request).catch(failedBy)
    const turn = last.then(() => answer(request)).catch(failedBy)
    last = turn.catch(() => undefined)
    return turn
  }
}

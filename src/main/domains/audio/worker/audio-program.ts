import type { Decoding } from '../../../platform/audio/decode/decoding.ts'
import { failedBy } from '../../../platform/workers/failed.ts'
import { cutWave } from '../../../platform/audio/wave-segment.ts'
import { openReadIn, type ReadIn } from './session-import.ts'
import { loadResampling, type Resampling } from '../../../../system/audio/resample.ts'
import { openSession } from '../../../platform/audio/session-reader.ts'
import type { AudioAnswer, AudioRequest } from '../../../platform/audio/audio-messages.ts'
import { openAudioWriter, type AudioWriter } from '../../../platform/audio/write-audio.ts'

interface AudioProgramDeps {
  /** Unix ms. */
  now(): number
  /** Bytes that must stay free on the disk while a file is imported. */
  readonly reserveBytes: number
  /** Creates the decoder of a file; it runs on the thread of the program when absent. */
  decoding?(path: string): Decoding
}

/** File that is imported or written, step by step. */
type Job = Pick<ReadIn | AudioWriter, 'more' | 'abandon'>

/** Responds to the requests of `audio-worker.ts`, one after the other. A failed job ends and leaves nothing behind. */
export function createAudioProgram(
  deps: AudioProgramDeps,
): (request: AudioRequest) => Promise<AudioAnswer> {
  const jobs = new Map<string, Job>()
  let resampling: Promise<Resampling> | null = null
  const resampled = (): Promise<Resampling> => (resampling ??= loadResampling())
  let last: Promise<unknown> = Promise.resolve()

  async function answer(request: AudioRequest): Promise<AudioAnswer> {
    switch (request.type) {
      case 'open': {
        await drop(request.job)
        const job = await openReadIn(request, { ...deps, resampling: await resampled() })
        jobs.set(request.job, job)
        return {
          type: 'opened',
          sampleRate: job.sampleRate,
          roles: job.roles,
          seconds: job.seconds,
        }
      }
      case 'write': {
        await drop(request.job)
        jobs.set(request.job, await openAudioWriter(request, await resampled()))
        return { type: 'progress', doneMs: 0, done: false }
      }
      case 'more': {
        const job = jobs.get(request.job)
        if (!job) return { type: 'unknown' }
        return continueJob(request.job, job, request.seconds)
      }
      case 'abandon':
        await drop(request.job)
        return { type: 'none' }
      case 'piece': {
        const session = openSession(request.folder)
        try {
          const bytes = cutWave(session, request.channel, request.span, await resampled())
          return { type: 'piece', bytes }
        } finally {
          session.close()
        }
      }
    }
  }

  async function continueJob(name: string, job: Job, seconds: number): Promise<AudioAnswer> {
    try {
      const progress = await job.more(seconds)
      if (progress.done) jobs.delete(name)
      return { type: 'progress', ...progress }
    } catch (error) {
      jobs.delete(name)
      throw error
    }
  }

  async function drop(name: string): Promise<void> {
    const job = jobs.get(name)
    jobs.delete(name)
    await job?.abandon()
  }

  return (request) => {
    const turn = last.then(() => answer(request)).catch(failedBy)
    last = turn.catch(() => undefined)
    return turn
  }
}

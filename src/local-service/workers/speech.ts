import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { limits } from '../../shared/provider/limits.ts'
import { loadResampling, resample } from '../../system/audio/resample.ts'
import { decodeMp3 } from '../audio/mp3.ts'
import { isSilent, downmix, AudioError, TooLongError, decodeWav } from '../audio/audio.ts'
import { loadMoonshine, sampleRate } from '../engines/moonshine.ts'
import type { EngineWorkerData } from '../engines/worker-messages.ts'
import { JobProblem, modelLoader, serveJobs, type JobScope } from '../engines/worker-port.ts'
import type { AudioProblem, SpeechOutcome, SpeechProgress, SpeechRequest } from '../protocol.ts'

/** Decoded audio can exceed the duration in its header by the encoder's padding, which is less than a second. */
const maxSeconds = limits.transcription.seconds + 1

/** The model rejects audio that is shorter than the width of its first filters. */
const shortest = sampleRate / 4

const nothing = { text: '', tokens: 0, confidence: null, endless: false } as const

const trouble = (what: AudioProblem | 'cancelled', reason: string): Error =>
  new JobProblem<AudioProblem>(what, reason)

function start(port: NonNullable<typeof parentPort>, data: EngineWorkerData): void {
  const ready = modelLoader(() => loadMoonshine(join(data.modelsDir, 'moonshine-tiny')))

  const samplesOf = async ({ kind, audio }: SpeechRequest): Promise<Float32Array<ArrayBuffer>> => {
    try {
      const decoded = await (kind === 'wav' ? decodeWav : decodeMp3)(audio, maxSeconds)
      // Loaded for each job: the filters of a rate are never removed, and a file may have any rate.
      return resample(downmix(decoded), decoded.rate, sampleRate, await loadResampling())
    } catch (error) {
      if (error instanceof AudioError) throw trouble('damaged', error.message)
      if (error instanceof TooLongError) throw trouble('too-long', error.message)
      throw error
    }
  }

  const transcribe = async (
    request: SpeechRequest,
    { progress, cancelled, step }: JobScope<SpeechProgress>,
  ): Promise<SpeechOutcome> => {
    const engine = await ready()
    const samples = await samplesOf(request)
    // Decoding blocks messages for half a second, and so does the model's first pass: the caller may have disconnected in the
    // meantime.
    await step()
    progress({ type: 'started' })
    const begun = performance.now()
    const base = { seconds: samples.length / sampleRate }
    if (isSilent(samples, sampleRate)) return { ...base, ...nothing, silent: true, tookMs: 0 }
    const padded = new Float32Array(Math.max(shortest, samples.length))
    padded.set(samples)
    const found = await engine.recognise(
      padded,
      (text) => progress({ type: 'delta', text }),
      cancelled,
    )
    if (cancelled()) throw trouble('cancelled', 'The client disconnected')
    return { ...base, ...found, silent: false, tookMs: Math.round(performance.now() - begun) }
  }

  serveJobs<SpeechRequest, SpeechProgress, SpeechOutcome, AudioProblem>(port, transcribe)
}

if (parentPort) start(parentPort, workerData as EngineWorkerData)

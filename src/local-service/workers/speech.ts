import { setImmediate as turn } from 'node:timers/promises'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { limits } from '../../shared/service/limits.ts'
import { decodeMp3 } from '../audio/mp3.ts'
import { resample } from '../audio/resample.ts'
import { isSilent } from '../audio/silence.ts'
import { downmix, SoundError, TooLongError } from '../audio/sound.ts'
import { decodeWav } from '../audio/wav.ts'
import { loadMoonshine, sampleRate } from '../engines/moonshine.ts'
import type { Moonshine } from '../engines/moonshine.ts'
import type {
  SpeechEvent,
  SpeechOutcome,
  SpeechRequest,
  SpeechTrouble,
  SpeechWorkerData,
} from '../protocol.ts'

type Transcribe = Extract<SpeechRequest, { type: 'transcribe' }>

/** Decoded sound may be longer than its header tells by what an encoder adds to it, which is less than a second. */
const mostSeconds = limits.transcription.seconds + 1

/** The model refuses sounds shorter than its first filters are wide. */
const shortest = sampleRate / 4

const nothing = { text: '', tokens: 0, confidence: null, endless: false } as const

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))

class Trouble extends Error {
  readonly trouble: SpeechTrouble
  constructor(trouble: SpeechTrouble, reason: string) {
    super(reason)
    this.trouble = trouble
  }
}

function start(port: NonNullable<typeof parentPort>, data: SpeechWorkerData): void {
  const cancelled = new Set<number>()
  const post = (event: SpeechEvent): void => port.postMessage(event)
  let model: Promise<Moonshine> | undefined

  const ready = async (): Promise<Moonshine> => {
    model ??= loadMoonshine(join(data.modelsDir, 'moonshine-tiny'))
    try {
      return await model
    } catch (error) {
      // Forgotten, so that a model that was put in place meanwhile is found by the next call.
      model = undefined
      throw new Trouble('engine-unavailable', message(error))
    }
  }

  const samplesOf = async ({ kind, audio }: Transcribe): Promise<Float32Array<ArrayBuffer>> => {
    try {
      const sound = await (kind === 'wav' ? decodeWav : decodeMp3)(audio, mostSeconds)
      return resample(downmix(sound), sound.rate, sampleRate)
    } catch (error) {
      if (error instanceof SoundError) throw new Trouble('damaged', error.message)
      if (error instanceof TooLongError) throw new Trouble('too-long', error.message)
      throw error
    }
  }

  const transcribe = async (request: Transcribe): Promise<SpeechOutcome> => {
    const { id } = request
    const stopped = (): boolean => cancelled.has(id)
    const engine = await ready()
    const samples = await samplesOf(request)
    // Half a second of decoding let nothing in, and the model's first pass is deaf as well: a caller may have gone meanwhile.
    await turn()
    if (stopped()) throw new Trouble('cancelled', 'The caller went away')
    post({ type: 'started', id })
    const begun = performance.now()
    const base = { seconds: samples.length / sampleRate }
    if (isSilent(samples, sampleRate)) return { ...base, ...nothing, silent: true, tookMs: 0 }
    const padded = new Float32Array(Math.max(shortest, samples.length))
    padded.set(samples)
    const found = await engine.recognise(
      padded,
      (text) => post({ type: 'delta', id, text }),
      stopped,
    )
    if (stopped()) throw new Trouble('cancelled', 'The caller went away')
    return { ...base, ...found, silent: false, tookMs: Math.round(performance.now() - begun) }
  }

  const answer = async (request: Transcribe): Promise<void> => {
    try {
      post({ type: 'done', id: request.id, outcome: await transcribe(request) })
    } catch (error) {
      const trouble = error instanceof Trouble ? error.trouble : 'failed'
      post({ type: 'failed', id: request.id, trouble, reason: message(error) })
    } finally {
      cancelled.delete(request.id)
    }
  }

  let queue = Promise.resolve()
  port.on('message', (request: SpeechRequest) => {
    if (request.type === 'cancel') cancelled.add(request.id)
    else queue = queue.then(() => answer(request))
  })
}

if (parentPort) start(parentPort, workerData as SpeechWorkerData)

import { failedBy, type Failed } from '../../workers/failed.ts'
import type { Decoded, AudioDecoder } from './decoded.ts'
import { openAudio } from './open.ts'

/** Requests to a program that decodes one file at a time. */
export type DecodeRequest =
  /** Opens a file from its beginning; the previous one is closed. */
  { readonly type: 'open'; readonly path: string } | { readonly type: 'next' }

/** Responses of that program, in the order of the requests. */
export type DecodeAnswer =
  /** Duration in seconds as reported by the file; null if it reports none. */
  | { readonly type: 'opened'; readonly seconds: number | null }
  /** Next chunks, in order; empty if nothing was decoded for a while. `ended`: nothing follows. */
  | { readonly type: 'pieces'; readonly chunks: readonly Decoded[]; readonly ended: boolean }
  | Failed

/** Approximate number of samples in one response, all channels together: a few seconds of audio, two megabytes. */
const answerSamples = 1 << 19

/** Milliseconds after which a response is sent with what is there: a program that is asked to end must notice it. */
const answerMs = 100

interface DecodeProgram {
  answer(request: DecodeRequest): Promise<DecodeAnswer>
  /** Releases the file. */
  close(): Promise<void>
}

/** Creates a program that decodes files on request. Requests may be sent ahead of the responses: they are queued. */
export function createDecodeProgram(): DecodeProgram {
  let decoder: AudioDecoder | null = null
  let last: Promise<unknown> = Promise.resolve()

  async function answer(request: DecodeRequest): Promise<DecodeAnswer> {
    if (request.type === 'next') return nextOf(decoder)
    await close()
    decoder = await openAudio(request.path)
    return { type: 'opened', seconds: decoder.seconds }
  }

  async function close(): Promise<void> {
    const open = decoder
    decoder = null
    await open?.close()
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  return {
    answer: (request) => inTurn(() => answer(request)).catch(failedBy),
    close: () => inTurn(close),
  }
}

async function nextOf(decoder: AudioDecoder | null): Promise<DecodeAnswer> {
  if (!decoder) throw new Error('No file is open')
  const stop = performance.now() + answerMs
  const chunks: Decoded[] = []
  let samples = 0
  while (samples < answerSamples && performance.now() < stop) {
    const chunk = await decoder.next()
    if (!chunk) return { type: 'pieces', chunks, ended: true }
    if (chunk.type === 'nothing') continue
    chunks.push(chunk)
    if (chunk.type === 'sound') samples += chunk.channels.length * (chunk.channels[0]?.length ?? 0)
  }
  return { type: 'pieces', chunks, ended: false }
}

/** Returns the buffers of a response that are transferred to the other thread instead of copied. */
export function memoryOf(answer: DecodeAnswer): ArrayBuffer[] {
  if (answer.type !== 'pieces') return []
  const audioChunks = answer.chunks.filter((chunk) => chunk.type === 'sound')
  const buffers = audioChunks.flatMap(({ channels }) => channels.map(({ buffer }) => buffer))
  return Array.from(new Set(buffers))
}

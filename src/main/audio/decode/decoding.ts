import { errorOf, type Failed } from '../failed.ts'
import type { DecodeAnswer, DecodeRequest } from './decode-program.ts'
import type { Decoded, AudioDecoder } from './decoded.ts'
import { openAudio } from './open.ts'

/** Where files are decoded: one at a time, each until the next is opened. */
export interface Decoding {
  /** Throws what {@link openAudio} throws. */
  open(path: string): Promise<AudioDecoder>
  /** Ends it with all that it holds. */
  close(): Promise<void>
}

/** Decodes where it is called. */
export const decodingHere: Decoding = { open: openAudio, close: async () => {} }

/** A program of {@link DecodeRequest} on another thread. */
export interface DecodeClient {
  call(request: DecodeRequest): Promise<DecodeAnswer>
  close(): Promise<void>
}

/** Answers that are asked for ahead: while one is worked on, the next is made and another is waiting. */
const ahead = 2

/**
 * Decodes on another thread, always a little ahead of what is taken, so that decoding and what is done with the sound go on at the
 * same time. What comes is the same, piece by piece. Throws ENGINE_UNAVAILABLE when the other thread dies.
 */
export function createDecodingClient(client: DecodeClient): Decoding {
  async function ask(request: DecodeRequest): Promise<Exclude<DecodeAnswer, Failed>> {
    const answer = await client.call(request)
    if (answer.type === 'failed') throw errorOf(answer)
    return answer
  }
  return {
    async open(path) {
      const opened = await ask({ type: 'open', path })
      if (opened.type !== 'opened') throw new Error(`An answer of type ${opened.type}`)
      return decoderOf(opened.seconds, () => ask({ type: 'next' }))
    },
    close: client.close,
  }
}

function decoderOf(
  seconds: number | null,
  ask: () => Promise<Exclude<DecodeAnswer, Failed>>,
): AudioDecoder {
  const pending: ReturnType<typeof ask>[] = []
  let chunks: Decoded[] = []
  let ended = false

  function requestMore(): void {
    while (!ended && pending.length < ahead) {
      const answer = ask()
      // Nobody may be waiting for it yet when it fails: who takes it is told.
      answer.catch(() => undefined)
      pending.push(answer)
    }
  }

  return {
    seconds,
    async next() {
      const chunk = chunks.shift()
      if (chunk) return chunk
      requestMore()
      const answer = await pending.shift()
      if (ended || !answer) return null
      if (answer.type !== 'pieces') throw new Error(`An answer of type ${answer.type}`)
      chunks = answer.chunks.slice()
      ended = answer.ended
      requestMore()
      return chunks.shift() ?? (ended ? null : { type: 'nothing' })
    },
    async close() {
      ended = true
      chunks = []
    },
  }
}

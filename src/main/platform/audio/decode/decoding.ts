import { errorOf, type Failed } from '../../workers/failed.ts'
import type { DecodeAnswer, DecodeRequest } from './decode-program.ts'
import type { Decoded, AudioDecoder } from './decoded.ts'
import { openAudio } from './open.ts'

/** Decodes files: one at a time, each until the next is opened. */
export interface Decoding {
  /** Throws the errors of {@link openAudio}. */
  open(path: string): Promise<AudioDecoder>
  /** Closes it and releases its resources. */
  close(): Promise<void>
}

/** Decodes on the calling thread. */
export const decodingHere: Decoding = { open: openAudio, close: async () => {} }

/** Client of a program for {@link DecodeRequest} on another thread. */
export interface DecodeClient {
  call(request: DecodeRequest): Promise<DecodeAnswer>
  close(): Promise<void>
}

/** Number of responses requested ahead: while one is processed, the next is being produced and another is waiting. */
const ahead = 2

/**
 * Decodes on another thread, always slightly ahead, so that decoding and processing run in parallel. The output is the same,
 * block by block. Throws ENGINE_UNAVAILABLE when the other thread dies.
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
      if (opened.type !== 'opened') throw new Error(`Unexpected response of type ${opened.type}`)
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
      // It may fail before anyone awaits it; a later await gets the error.
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
      if (answer.type !== 'pieces') throw new Error(`Unexpected response of type ${answer.type}`)
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

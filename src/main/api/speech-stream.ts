import { AppError } from '../errors.ts'
import type { Answered } from './answer.ts'
import type { ReadContext } from './call.ts'
import { readEventReply } from './event-reply.ts'
import type { EventReader } from './event-reply.ts'
import { openSink } from './file-sink.ts'
import type { FileSink } from './file-sink.ts'
import type { HttpReply } from './http.ts'
import { createSpeechReader } from './speech-chunks.ts'
import type { SpeechResult } from './speech.ts'

/**
 * Base64 of 1,024 slowly spoken characters is some tens of megabytes; only its beginning is stored in addition to the audio.
 */
const bounds = { maxSaved: 4096, maxTotal: 512 * 1024 * 1024 }

/** Called with each chunk of whole 16-bit samples and their rate in hertz. */
export type OnAudio = (pcm: Uint8Array, sampleRate: number) => void

/**
 * Reads an audio stream into the file `to`. A stream that does not reach its end leaves the received data in a part file next
 * to it, named in the error's params as `part`, with its `bytes`, so that audio the user already listened to is not lost. A
 * JSON answer in place of a stream is an error.
 */
export async function readSpeechStream(
  reply: HttpReply,
  context: ReadContext,
  to: string,
  onAudio: OnAudio | undefined,
): Promise<Answered<SpeechResult>> {
  const sink = await openSink(to)
  try {
    const answer = await readEventReply(reply, context, {
      open: () => readerOver(sink, context, onAudio),
      broken: (reason) => reason,
      bounds,
    })
    if (sink.bytes === 0)
      throw new AppError('MALFORMED_REPLY', 'The stream contained no audio.', {
        params: { reason: 'no-sound' },
      })
    await sink.finish()
    return answer
  } catch (error) {
    const part = await sink.keep()
    throw part === null ? error : naming(part, sink.bytes, error)
  }
}

/** Returns a reader that passes decoded chunks to the disk and to the caller. */
function readerOver(
  sink: FileSink,
  context: ReadContext,
  onAudio: OnAudio | undefined,
): EventReader<SpeechResult> {
  let broken: Error | null = null
  return createSpeechReader((pcm, sampleRate) => {
    // A full disk ends the stream at the next chunk.
    if (broken) throw broken
    sink.write(pcm).catch((error: Error) => (broken = error))
    context.streamed()
    onAudio?.(pcm, sampleRate)
  })
}

function naming(part: string, bytes: number, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const silent = error.code === 'TIMEOUT' || error.code === 'OFFLINE'
  return new AppError(silent ? 'STREAM_CUT' : error.code, error.message, {
    retriable: error.retriable,
    params: { ...error.params, part, bytes },
    ...(error.service && { service: error.service }),
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    cause: error,
  })
}

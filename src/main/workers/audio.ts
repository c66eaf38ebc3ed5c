import { statSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import {
  createDecodeProgram,
  memoryOf,
  type DecodeAnswer,
  type DecodeRequest,
} from '../platform/audio/decode/decode-program.ts'
import {
  createDecodingClient,
  decodingHere,
  type Decoding,
} from '../platform/audio/decode/decoding.ts'
import { createAudioProgram } from '../domains/audio/worker/audio-program.ts'
import type { AudioAnswer, AudioRequest } from '../platform/audio/audio-messages.ts'
import { createWorkerClient } from '../platform/workers/client.ts'
import { serve } from '../platform/workers/serve-worker.ts'

// Decodes, cuts and encodes audio where it blocks nothing, and where a crashing decoder affects nothing else.
// The decoders print a line for every damaged packet, thousands for one file; errors are reported in the responses.
for (const say of ['log', 'warn', 'error'] as const) console[say] = () => {}

/** Role of the second thread of this program: it decodes for the first, which resamples, draws and writes meanwhile. */
const decoderRole = 'decode'

/** Bytes of a file below which decoding would finish before a second thread has started. */
const worthAThread = 4 * 1024 * 1024

/** Milliseconds for one response, which is about a tenth of a second of work; opening a container reads its index. */
const maxAnswerMs = 30_000

if (workerData === decoderRole) decode()
else work()

function decode(): void {
  const program = createDecodeProgram()
  serve<DecodeRequest, DecodeAnswer>(program.answer, { memoryOf, end: program.close })
}

function work(): void {
  const alongside = new Set<Decoding>()
  function decodingOf(path: string): Decoding {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (size < worthAThread) return decodingHere
    const client = createWorkerClient<DecodeRequest, DecodeAnswer>({
      url: new URL(import.meta.url),
      name: 'Audio decoder',
      data: decoderRole,
      timeoutMs: maxAnswerMs,
    })
    const decoding = createDecodingClient(client)
    const listed: Decoding = {
      open: decoding.open,
      async close() {
        alongside.delete(listed)
        await decoding.close()
      },
    }
    alongside.add(listed)
    return listed
  }
  serve<AudioRequest, AudioAnswer>(
    createAudioProgram({
      now: Date.now,
      reserveBytes: 300 * 1024 * 1024,
      decoding: decodingOf,
    }),
    {
      async end() {
        await Promise.all(Array.from(alongside, (each) => each.close()))
      },
    },
  )
}

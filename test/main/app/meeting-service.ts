import { createHash } from 'node:crypto'
import {
  startScriptedServer,
  type RecordedRequest,
  type ScriptedReply,
  type ScriptedServer,
} from '../../fixtures/scripted-server.ts'

/** One request as the service received it. */
export interface ReceivedRequest {
  /** Name of the audio, derived from its bytes. */
  readonly audioHash: string
  /** Samples of the audio as received. */
  readonly samples: Buffer
  readonly prompt: string
  /** Index of this audio among all, in the order of their first requests. */
  readonly place: number
  /** Number of requests for this audio, including this one. */
  readonly times: number
}

/** A service that distinguishes audio by its bytes: each transcription contains the name of the audio. */
export interface TranscriptionService {
  /** Returns the response; undefined for the default text of the audio. */
  answer: (request: ReceivedRequest) => ScriptedReply | undefined
  readonly requests: readonly ReceivedRequest[]
  readonly url: string
  /** Stops listening at its address; `back` starts it again. */
  down(): Promise<void>
  back(): Promise<void>
  close(): Promise<void>
}

/** Key that the service ignores. */
export const serviceKey = 'key-of-the-hearing-service'

/** Returns the text of an audio. */
export const textOfAudio = (audioHash: string): string => `We heard ${audioHash}.`

/** Returns a response with this text. */
export const transcriptReply = (text: string): ScriptedReply => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ id: 'r', created: 1, request_id: 'r', model: 'bench-ears-1', text }),
})

/** Returns a response that sends this text word by word within `totalMs`. */
export function streamedReply(text: string, totalMs: number): ScriptedReply {
  const event = (data: object): string =>
    `data: ${JSON.stringify({ id: 'r', created: 1, request_id: 'r', model: 'bench-ears-1', ...data })}\n\n`
  const words = text.match(/\S+\s*/g) ?? []
  const events = [
    ...words.map((delta) => event({ type: 'transcript.text.delta', delta })),
    `${event({ type: 'transcript.text.done', text })}data: [DONE]\n\n`,
  ]
  let end = 0
  const ends = events.map((one) => (end += Buffer.byteLength(one)))
  return {
    headers: { 'content-type': 'text/event-stream' },
    body: events.join(''),
    splitAt: ends.slice(0, -1),
    betweenMs: totalMs / events.length,
  }
}

/** Returns a failure with this status and provider code. */
export const refusing = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): ScriptedReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error: { code, message: 'no' } }),
})

/** Starts the service. */
export async function startTranscriptionService(): Promise<TranscriptionService> {
  const places = new Map<string, number>()
  const times = new Map<string, number>()
  const requests: ReceivedRequest[] = []
  const serve = (request: RecordedRequest): ScriptedReply => {
    if (!request.url.endsWith('/audio/transcriptions')) return transcriptReply('')
    const { samples, prompt } = read(request.body)
    const audioHash = createHash('sha256').update(samples).digest('hex').slice(0, 10)
    if (!places.has(audioHash)) places.set(audioHash, places.size)
    times.set(audioHash, (times.get(audioHash) ?? 0) + 1)
    const [place, count] = [places.get(audioHash) ?? 0, times.get(audioHash) ?? 0]
    const one = { audioHash, samples, prompt, place, times: count }
    requests.push(one)
    return service.answer(one) ?? transcriptReply(textOfAudio(audioHash))
  }
  const start = async (port: number): Promise<ScriptedServer> => {
    const started = await startScriptedServer({ port })
    started.always(serve)
    return started
  }
  let server = await start(0)
  const { url } = server
  const service: TranscriptionService = {
    answer: () => undefined,
    requests,
    url,
    down: () => server.close(),
    async back() {
      server = await start(Number(new URL(url).port))
    },
    close: () => server.close(),
  }
  return service
}

/** Extracts samples and prompt from a request (service-notes 4: parts of a form). */
function read(body: Buffer): { readonly samples: Buffer; readonly prompt: string } {
  const wave = body.subarray(body.indexOf('RIFF'))
  const samples = wave.subarray(44, wave.indexOf('\r\n--'))
  const text = body.toString('utf8')
  const prompt = /name="prompt"\r\n\r\n([\s\S]*?)\r\n--/.exec(text)?.[1] ?? ''
  return { samples, prompt }
}

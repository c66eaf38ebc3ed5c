import { createHash } from 'node:crypto'
import {
  startScriptedServer,
  type RecordedRequest,
  type ScriptedReply,
  type ScriptedServer,
} from '../../fixtures/scripted-server.ts'

/** One question as the service got it. */
export interface ReceivedRequest {
  /** Names the sound by its bytes. */
  readonly audioHash: string
  /** The sound's samples as they came. */
  readonly samples: Buffer
  readonly prompt: string
  /** Place of this sound among all sounds, in the order in which they were first asked about. */
  readonly place: number
  /** How often this sound was asked about, this time counted. */
  readonly times: number
}

/** A service that knows no sound but tells all of them apart: what it hears names the sound. */
export interface TranscriptionService {
  /** Answers; undefined for the words of the sound. */
  answer: (request: ReceivedRequest) => ScriptedReply | undefined
  readonly requests: readonly ReceivedRequest[]
  readonly url: string
  /** Nothing listens any more at its address; `back` changes that. */
  down(): Promise<void>
  back(): Promise<void>
  close(): Promise<void>
}

/** The key it does not look at. */
export const serviceKey = 'key-of-the-hearing-service'

/** The words of a sound. */
export const textOfAudio = (audioHash: string): string => `We heard ${audioHash}.`

/** An answer with these words. */
export const transcriptReply = (text: string): ScriptedReply => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ id: 'r', created: 1, request_id: 'r', model: 'bench-ears-1', text }),
})

/** A failure by its status and the service's code. */
export const refusing = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): ScriptedReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error: { code, message: 'no' } }),
})

/** Starts it. */
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

/** The samples and the prompt of a question (service-notes 4: parts of a form). */
function read(body: Buffer): { readonly samples: Buffer; readonly prompt: string } {
  const wave = body.subarray(body.indexOf('RIFF'))
  const samples = wave.subarray(44, wave.indexOf('\r\n--'))
  const text = body.toString('utf8')
  const prompt = /name="prompt"\r\n\r\n([\s\S]*?)\r\n--/.exec(text)?.[1] ?? ''
  return { samples, prompt }
}

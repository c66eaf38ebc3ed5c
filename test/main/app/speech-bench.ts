import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import type { Speech, SpeechPiece, SpeechSettings } from '../../../src/shared/model/speech.ts'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import type {
  RecordedRequest,
  ScriptedReply,
  ScriptedServer,
} from '../../fixtures/scripted-server.ts'

/** Says a text with espeak-ng, as a wav file that knows its length. */
export function said(text: string): Buffer {
  const wav = execFileSync('espeak-ng', ['-v', 'en-us+f3', '-s', '150', '--stdout', text], {
    maxBuffer: 64 * 1024 * 1024,
  })
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.writeUInt32LE(wav.length - 44, 40)
  return wav
}

/** The app with a scripted service that speaks, and hears what it is told to hear. */
export interface SpeechBench {
  lectern: TestApp
  readonly server: ScriptedServer
  readonly accountId: string
  readonly keychain: ReturnType<typeof memoryKeychain>
  /** How the next texts are spoken; said as they are when none is left. */
  readonly speaking: ((input: string) => ScriptedReply)[]
  /** What is heard next; what was spoken last when none is left. */
  readonly hearing: (string | ScriptedReply)[]
  /** Requests to speak, as they came. */
  spoken(): readonly RecordedRequest[]
  heard(): readonly RecordedRequest[]
  create(text: string, settings?: Partial<SpeechSettings>): Promise<Speech>
  pieces(id: string): Promise<readonly SpeechPiece[]>
  /** The pieces once nothing is asked for any more. */
  settled(id: string): Promise<readonly SpeechPiece[]>
  /** Stops the app and starts it again over the same data. */
  restart(): Promise<void>
}

/** A sound reply. */
export const sound = (bytes: Uint8Array): ScriptedReply => ({
  headers: { 'content-type': 'audio/wav' },
  body: bytes,
})

/** The text of a request to speak. */
export const inputOf = ({ body }: RecordedRequest): string =>
  String((JSON.parse(body.toString()) as { input: unknown }).input)

const voice = { id: 'tongtong', name: 'Tongtong' }

/** Starts it for one test. */
export async function speechBench(): Promise<SpeechBench> {
  const server = await startScriptedServer()
  const keychain = memoryKeychain()
  const speaking: SpeechBench['speaking'] = []
  const hearing: SpeechBench['hearing'] = []
  let last = ''
  server.always((request) => {
    const { url } = request
    if (url.endsWith('/audio/speech')) {
      last = inputOf(request)
      return (speaking.shift() ?? ((input) => sound(said(input))))(last)
    }
    if (url.endsWith('/audio/transcriptions')) {
      const next = hearing.shift() ?? last
      if (typeof next !== 'string') return next
      return { body: JSON.stringify({ id: '1', model: 'glm-asr-2512', text: next }) }
    }
    if (url.startsWith('/paas/v4/voice/list')) return { body: '{"voice_list":[]}' }
    return { status: 404, body: '{}' }
  })
  const bench = { lectern: await testApp({ keychain }) }
  const account = await bench.lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Scripted',
    baseUrl: server.url,
  })
  // One after the other, so that what is heard belongs to what was spoken last.
  await bench.lectern.call('accounts.update', {
    id: account.id,
    profile: { ...account.profile, concurrency: 1 },
  })
  await bench.lectern.call('accounts.setKey', { id: account.id, key: 'scripted-key-0123456789' })
  await bench.lectern.call('accounts.activate', { id: account.id })
  onTestFinished(async () => {
    await bench.lectern.remove()
    await server.close()
  })
  const of = (end: string) => server.requests.filter(({ url }) => url.endsWith(end))
  const pieces = async (id: string): Promise<readonly SpeechPiece[]> =>
    (await bench.lectern.call('speech.pieces', { id })).pieces
  return Object.assign(bench, {
    server,
    keychain,
    accountId: account.id,
    speaking,
    hearing,
    spoken: () => of('/audio/speech'),
    heard: () => of('/audio/transcriptions'),
    async create(text: string, settings: Partial<SpeechSettings> = {}) {
      const made = await bench.lectern.call('speech.create', {
        text,
        settings: { voice, pieceLength: 60, ...settings },
      })
      return made.speech
    },
    pieces,
    settled: (id: string) =>
      eventually(async () => {
        const all = await pieces(id)
        if (all.some(({ state }) => /queued|speaking|checking/.test(state))) throw new Error('open')
        return all
      }),
    async restart() {
      const { home } = bench.lectern
      await bench.lectern.stop()
      bench.lectern = await testApp({ home, keychain })
    },
  })
}

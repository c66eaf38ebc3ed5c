import { onTestFinished } from 'vitest'
import type { Speech, SpeechSegment, SpeechSettings } from '../../../src/shared/model/speech.ts'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { startSpeakingService, type SpeakingService } from '../../fixtures/speaking-service.ts'

/** The app with a scripted service that synthesizes, and transcribes as scripted. */
export interface SpeechSetup extends SpeakingService {
  lectern: TestApp
  readonly accountId: string
  readonly keychain: ReturnType<typeof memoryKeychain>
  create(text: string, settings?: Partial<SpeechSettings>): Promise<Speech>
  segments(id: string): Promise<readonly SpeechSegment[]>
  /** Resolves to the segments once no request is pending. */
  settled(id: string): Promise<readonly SpeechSegment[]>
  /** Stops the app and starts it again with the same data. */
  restart(): Promise<void>
}

const voice = { id: 'tongtong', name: 'Tongtong' }

/** Starts the setup for one test. */
export async function speechSetup(): Promise<SpeechSetup> {
  const service = await startSpeakingService()
  const { server } = service
  const keychain = memoryKeychain()
  const setup = { lectern: await testApp({ keychain }) }
  const account = await setup.lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Scripted',
    baseUrl: server.url,
  })
  // One after the other, so that each transcription belongs to the latest synthesized segment.
  await setup.lectern.call('accounts.update', {
    id: account.id,
    profile: { ...account.profile, concurrency: 1 },
  })
  await setup.lectern.call('accounts.setKey', { id: account.id, key: 'scripted-key-0123456789' })
  await setup.lectern.call('accounts.activate', { id: account.id })
  onTestFinished(async () => {
    await setup.lectern.remove()
    await server.close()
  })
  const segments = async (id: string): Promise<readonly SpeechSegment[]> =>
    (await setup.lectern.call('speech.segments', { id })).segments
  return Object.assign(setup, {
    ...service,
    keychain,
    accountId: account.id,
    async create(text: string, settings: Partial<SpeechSettings> = {}) {
      const made = await setup.lectern.call('speech.create', {
        text,
        settings: { voice, pieceLength: 60, ...settings },
      })
      return made.speech
    },
    segments,
    settled: (id: string) =>
      eventually(async () => {
        const all = await segments(id)
        if (all.some(({ state }) => /queued|speaking|checking/.test(state))) throw new Error('open')
        return all
      }),
    async restart() {
      const { home } = setup.lectern
      await setup.lectern.stop()
      setup.lectern = await testApp({ home, keychain })
    },
  })
}

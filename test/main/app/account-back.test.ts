import { afterAll, beforeAll, expect, test } from 'vitest'
import { waveOf } from '../../../src/main/domains/voices/worker/sample/read-sample.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { startScriptedServer, type ScriptedServer } from '../../fixtures/scripted-server.ts'

let app: TestApp
let server: ScriptedServer | null = null
beforeAll(async () => void (app = await testApp()))
afterAll(async () => {
  await app.remove()
  await server?.close()
})

const json = (value: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

async function aSample(): Promise<string> {
  const samples = Float32Array.from({ length: 24_000 * 8 }, (_, n) => Math.sin(n / 20) / 4)
  const reply = await app.intake('tone.wav', waveOf({ samples, rate: 24_000 }))
  if (!reply.ok) throw new Error(reply.error.message)
  const { id } = await app.call('voices.createSample', {
    from: { mediaId: reply.data.media.id },
    language: 'en',
  })
  const consent = { who: 'Ada', whose: 'mine', purpose: 'a test' } as const
  await app.call('voices.describeSample', { id, text: 'A tone.', consent })
  return id
}

test(
  'continues a clone for an inactive account when its provider is reachable again',
  { timeout: 60_000 },
  async () => {
    const first = await startScriptedServer()
    const port = Number(new URL(first.url).port)
    await first.close()
    const { id: accountId } = await app.call('accounts.create', {
      preset: 'custom',
      name: 'Away',
      baseUrl: `http://127.0.0.1:${port}`,
    })
    await app.call('accounts.setKey', { id: accountId, key: 'key-of-the-account' })
    const id = await aSample()
    await app.call('voices.clone', { id, voiceName: 'Tone', input: 'Hello', accountId })
    const clone = async () => (await app.call('voices.sample', { id })).clones[0]
    await eventually(async () =>
      expect(await clone()).toMatchObject({ state: 'waiting', error: { code: 'OFFLINE' } }),
    )
    const accounts = await app.call('accounts.list', {})
    expect(accounts.find((one) => one.id === accountId)?.active).toBe(false)
    server = await startScriptedServer({ port })
    server.always(({ url }) =>
      json(
        url.includes('/voice/list')
          ? { voice_list: [] }
          : url.includes('/voice/clone')
            ? { voice: 'v1' }
            : { id: 'f1', object: 'file' },
      ),
    )
    await eventually(async () => expect(await clone()).toMatchObject({ state: 'done' }))
  },
)

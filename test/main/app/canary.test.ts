import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryKeychain, testApp } from '../../fixtures/app.ts'
import { startScriptedService } from '../../fixtures/slow-service.ts'
import { sineWav } from '../../fixtures/wav.ts'

const canary = 'canary0a1b2c3d4e5f60718293a4b5.Q9w8e7r6t5y4u3i2'

/** Every spelling in which a leak could hide. */
const spellings = [
  canary,
  encodeURIComponent(canary),
  Buffer.from(canary).toString('base64').slice(0, 40),
  Buffer.from(canary).toString('hex'),
]

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name))
}

test('the key reaches the service and nothing else: no reply, event, log line, database or backup', async () => {
  const service = await startScriptedService({ words: ['some ', 'words'], totalMs: 20 })
  const keychain = memoryKeychain()
  const lectern = await testApp({ keychain })
  const replies: unknown[] = []
  const call: typeof lectern.call = async (route, payload) => {
    const reply = await lectern.raw(route, payload)
    replies.push(reply)
    if (!reply.ok) throw new Error(reply.error.code)
    return reply.data as Awaited<ReturnType<typeof lectern.call<typeof route>>>
  }
  try {
    const account = await call('accounts.create', {
      preset: 'custom',
      name: 'Canary',
      baseUrl: service.url,
    })
    expect(await call('accounts.setKey', { id: account.id, key: canary })).toMatchObject({
      present: true,
      last4: canary.slice(-4),
    })
    expect(keychain.secrets.get(account.id)).toBe(canary)
    await call('accounts.activate', { id: account.id })
    // The scripted service knows another key: every call is refused, and refusals are where keys are quoted.
    await call('accounts.check', { id: account.id, callId: 'check-canary' })
    const intake = await lectern.intake('canary.wav', sineWav({ seconds: 1, hz: 300 }))
    if (!intake.ok) throw new Error(intake.error.code)
    const mediaId = intake.data.media.id
    await call('transcriptions.start', { mediaId, streamId: 'canary-stream' })
    await lectern.until((e) => e.channel === 'stream' && e.event.type === 'error')
    replies.push(
      await lectern.raw('accounts.setKey', { id: account.id, key: `${canary} ` + 'x'.repeat(600) }),
    )
    replies.push(await lectern.raw('library.get', { id: canary }))
    replies.push(await lectern.raw(canary, { [canary]: canary }))
    for (const route of ['accounts.list', 'settings.get', 'app.info', 'jobs.active'] as const) {
      await call(route, {})
    }
    await call('activity.list', { limit: 100 })
    await call('library.list', { limit: 100 })
  } finally {
    await lectern.stop()
    await service.stop()
  }
  const texts = new Map<string, string>([
    ['replies', JSON.stringify(replies)],
    ['events', JSON.stringify(lectern.events)],
    ['log', lectern.logLines.join('\n')],
  ])
  for (const file of await filesBelow(lectern.home)) {
    texts.set(file, (await readFile(file)).toString('latin1'))
  }
  expect(texts.size).toBeGreaterThan(4)
  for (const [where, text] of texts) {
    for (const spelling of spellings) expect(text.includes(spelling), where).toBe(false)
  }
  await lectern.remove()
})

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryKeychain, testApp } from '../../fixtures/app.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import { startScriptedService } from '../../fixtures/slow-service.ts'
import { sineWav } from '../../fixtures/wav.ts'

const canary = 'canary0a1b2c3d4e5f60718293a4b5.Q9w8e7r6t5y4u3i2'

/** All encodings in which a leak could hide. */
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

test('sends the key only to the provider: not in replies, events, logs, database or backups', async () => {
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
    expect([...keychain.secrets.values()].join()).toContain(canary)
    await call('accounts.activate', { id: account.id })
    // The scripted service expects another key: every call is refused, and refusals quote keys.
    await call('accounts.check', { id: account.id, callId: 'check-canary' })
    const intake = await lectern.intake('canary.wav', sineWav({ seconds: 1, hz: 300 }))
    if (!intake.ok) throw new Error(intake.error.code)
    const mediaId = intake.data.media.id
    await call('runs.start', {
      operation: 'transcriptions.create',
      input: { file: mediaId },
      streamId: 'canary-stream',
    })
    await lectern.until((e) => e.channel === 'stream' && e.event.type === 'error')
    replies.push(
      await lectern.raw('accounts.setKey', { id: account.id, key: `${canary} ` + 'x'.repeat(600) }),
    )
    replies.push(await lectern.raw('library.summary', { id: canary }))
    replies.push(await lectern.raw(canary, { [canary]: canary }))
    for (const route of ['accounts.list', 'settings.get', 'app.info', 'work.list'] as const) {
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

const slashed = `${canary}/with/slashes`
const unicode = Array.from(
  slashed,
  (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
).join('')

test('never stores a key returned by runs, tasks and transcripts, escaped or in parts', async () => {
  const key = slashed
  const escaped = [
    unicode.slice(0, 6 * canary.length) + key.slice(canary.length),
    unicode,
    key.replaceAll('/', '\\/'),
    JSON.stringify(unicode).slice(1, -1),
  ].join(' and ')
  const halves = [`a ${key.slice(0, 20)}`, `${key.slice(20)} z`]
  const sse = (events: readonly unknown[]): string =>
    events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const service = await startScriptedServer()
  service.always(({ url }) => {
    if (url.startsWith('/paas/v4/voice/list')) return { body: '{"voice_list":[]}' }
    if (url.startsWith('/paas/v4/rerank'))
      return {
        body: `{"request_id":"${escaped}","engine":"${escaped}","notice":"${escaped}","results":[{"index":0,"relevance_score":1,"document":"${escaped}"}]}`,
      }
    if (url.startsWith('/paas/v4/assistant'))
      return {
        body: `${sse(halves.map((content) => ({ choices: [{ delta: { content } }] })))}data: {"choices":[{"delta":{"content":"${escaped}"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
      }
    if (url.startsWith('/paas/v4/audio/transcriptions'))
      return {
        body: sse([
          ...halves.map((delta) => ({ type: 'transcript.text.delta', delta })),
          { type: 'transcript.text.done' },
        ]),
      }
    return {
      body: `{"id":"t1","task_status":"FAIL","model":"${escaped}","engine":"${escaped}","notice":"${escaped}","error":{"code":"1234","message":"${escaped}"}}`,
    }
  })
  const lectern = await testApp()
  const replies: unknown[] = []
  try {
    const { id: accountId } = await lectern.call('accounts.create', {
      preset: 'custom',
      name: 'Canary',
      baseUrl: service.url,
    })
    await lectern.call('accounts.setKey', { id: accountId, key })
    await lectern.call('accounts.activate', { id: accountId })
    for (const [operation, input] of [
      ['rerank.create', { query: 'q', documents: ['a'] }],
      ['assistants.chat', { assistantId: 'x', messages: ['hi'] }],
    ] as const) {
      const streamId = `canary-${operation.replace('.', '-')}`
      const { id } = await lectern.call('runs.start', { operation, input, accountId, streamId })
      await lectern.until(
        (e) => e.channel === 'stream' && e.event.streamId === streamId && e.event.type === 'end',
      )
      const run = await lectern.call('runs.get', { id })
      // The response was parsed: only the key was removed from it.
      expect(JSON.stringify(run.value)).toContain('[redacted]')
      replies.push(run, await lectern.call('runs.raw', { id }))
      replies.push(await lectern.call('runs.events', { id }))
    }
    const task = await lectern.call('tasks.watch', { taskId: 't1', accountId })
    await lectern.until(
      (e) =>
        e.channel === 'app' && e.event.type === 'task.changed' && e.event.task.state === 'failed',
    )
    replies.push(await lectern.call('tasks.get', { id: task.id }))
    replies.push(await lectern.call('tasks.raw', { id: task.id }))
    const intake = await lectern.intake('canary.wav', sineWav({ seconds: 1, hz: 300 }))
    if (!intake.ok) throw new Error(intake.error.code)
    await lectern.call('runs.start', {
      operation: 'transcriptions.create',
      input: { file: intake.data.media.id },
      streamId: 'canary-heard',
    })
    await lectern.until(
      (e) =>
        e.channel === 'stream' && e.event.streamId === 'canary-heard' && e.event.type === 'end',
    )
    replies.push(await lectern.call('library.list', { limit: 10 }))
    replies.push(lectern.events)
  } finally {
    await lectern.stop()
    await service.close()
  }
  const texts = new Map([
    ['told', JSON.stringify(replies)],
    ['log', lectern.logLines.join('\n')],
  ])
  for (const file of await filesBelow(lectern.home))
    texts.set(file, (await readFile(file)).toString('latin1'))
  for (const [where, text] of texts)
    for (const spelling of [...spellings, key, unicode, key.replaceAll('/', '\\/')])
      expect(text.includes(spelling), where).toBe(false)
  await lectern.remove()
})

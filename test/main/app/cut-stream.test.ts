import { expect, test } from 'vitest'
import { memoryKeychain, testApp } from '../../fixtures/app.ts'
import { startScriptedServer, type ScriptedReply } from '../../fixtures/scripted-server.ts'
import { sineWav } from '../../fixtures/wav.ts'

const words = ['我们', '不要问', ' ask', ' not ', '国家', '😀', ' é', '。']
const whole = words.join('')
const headers = { 'content-type': 'text/event-stream' }
const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`
const common = { id: 'cut', created: 1, model: 'gen-asr-2512' }
const body = Buffer.from(
  words.map((delta) => event({ ...common, type: 'transcript.text.delta', delta })).join('') +
    event({ ...common, type: 'transcript.text.done', text: whole }) +
    'data: [DONE]\n\n',
)

/** Returns the text of every event that is complete within the first `n` bytes, and whether the end was received. */
function knownAfter(n: number): { readonly text: string; readonly ended: boolean } {
  const seen = body.subarray(0, n).toString('latin1')
  const complete = seen.match(/^data: \{.*delta".*\}(?=\n|$)/gm)?.length ?? 0
  return {
    text: words.slice(0, complete).join(''),
    ended: /^data: \{.*text\.done.*\}(?=\n|$)/m.test(seen),
  }
}

test('stores the text of a response cut at every tenth byte, waits, and completes on retry', async () => {
  const server = await startScriptedServer({})
  const full: ScriptedReply = { headers, body }
  let reply = full
  server.always((request) =>
    request.method === 'POST' ? reply : { body: '{"voice_list":[]}', headers },
  )
  const lectern = await testApp({ keychain: memoryKeychain() })
  const baseUrl = server.url
  const account = await lectern.call('accounts.create', { preset: 'custom', name: 'Cut', baseUrl })
  await lectern.call('accounts.setKey', { id: account.id, key: 'a-key-for-cut-streams' })
  await lectern.call('accounts.activate', { id: account.id })
  const ended = (streamId: string) =>
    lectern.until(
      (e) => e.channel === 'stream' && e.event.streamId === streamId && e.event.type !== 'delta',
    )
  let cuts = 0
  try {
    for (let n = 0; n <= body.length; n += 10) {
      reply = { headers, body, cutAfter: n, splitAt: [Math.max(1, n - 3), Math.max(2, n - 1)] }
      const intake = await lectern.intake(`${n}.wav`, sineWav({ seconds: 0.2, hz: 100 + n }))
      if (!intake.ok) throw new Error(intake.error.code)
      const streamId = `cut-stream-${n}`
      const mediaId = intake.data.media.id
      const { item, job } = await lectern.call('transcriptions.start', { mediaId, streamId })
      await ended(streamId)
      const known = knownAfter(n)
      const after = await lectern.call('library.get', { id: item.id })
      if (known.ended) {
        expect([n, after.job?.state, after.transcripts[0]?.text]).toEqual([n, 'done', whole])
        continue
      }
      cuts += 1
      expect([n, after.transcripts[0]?.text ?? '']).toEqual([n, known.text])
      expect([n, after.transcripts[0]?.state ?? 'partial']).toEqual([n, 'partial'])
      expect([n, after.job?.state, after.job?.error?.retriable]).toEqual([n, 'waiting', true])
      reply = full
      await lectern.call('transcriptions.retry', { jobId: job.id, streamId: `${streamId}-again` })
      await ended(`${streamId}-again`)
      const healed = await lectern.call('library.get', { id: item.id })
      expect([n, healed.job?.state]).toEqual([n, 'done'])
      expect(healed.transcripts).toMatchObject([{ text: whole, state: 'complete' }])
    }
    expect(cuts).toBeGreaterThan(50)
  } finally {
    await lectern.remove()
    await server.close()
  }
}, 120_000)

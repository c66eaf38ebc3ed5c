import { expect, test } from 'vitest'
import { testApp } from '../../fixtures/app.ts'

test('asks the pages to stop recording before the app ends, and waits until it is written', async () => {
  const reported: boolean[] = []
  const app = await testApp({ onRecording: (live) => void reported.push(live) })
  try {
    // Nothing is recorded: no page is asked.
    await app.app.stopRecording()
    const begun = await app.raw('meetings.begin', {
      roles: ['mic'],
      sampleRate: 48_000,
      labels: ['Mic'],
    })
    expect(begun).toMatchObject({ ok: true })
    const { id } = (begun as { data: { meeting: { id: string } } }).data.meeting
    expect(reported.at(-1)).toBe(true)
    let ended = false
    const stopped = app.app.stopRecording().then(() => (ended = true))
    const command = await app.until(({ event }) => 'type' in event && event.type === 'page.command')
    expect(command).toEqual({
      channel: 'app',
      event: { type: 'page.command', command: 'record-stop' },
    })
    expect(ended).toBe(false)
    expect(await app.raw('meetings.stop', { id, recordedMs: 0 })).toMatchObject({
      ok: true,
      data: { meeting: { state: 'stopped' } },
    })
    await stopped
    expect(reported.at(-1)).toBe(false)
  } finally {
    await app.remove()
  }
})

test('refuses a second recording page, and reports the recording page to the host', async () => {
  const reported: (string | null)[] = []
  const app = await testApp({
    onRecording: (_live, connectionId) => void reported.push(connectionId),
  })
  const page = (id: string) => ({ id, push: () => {} })
  const [first, second] = [page('first'), page('second')]
  const begin = (connection: typeof first) =>
    app.app.request(connection, 'meetings.begin', {
      roles: ['mic'],
      sampleRate: 48_000,
      labels: ['Mic'],
    })
  const refused = { ok: false, error: { code: 'REFUSED', params: { problem: 'otherWindow' } } }
  try {
    app.app.connect(first)
    app.app.connect(second)
    const begun = await begin(first)
    expect(begun).toMatchObject({ ok: true })
    expect(reported.at(-1)).toBe('first')
    expect(await begin(second)).toMatchObject(refused)
    const { id } = (begun as { data: { meeting: { id: string } } }).data.meeting
    expect(await app.raw('meetings.stop', { id, recordedMs: 0 })).toMatchObject({ ok: true })
    expect(reported.at(-1)).toBeNull()
    expect(await begin(second)).toMatchObject({ ok: true })
    expect(await begin(first)).toMatchObject(refused)
    // Its window was closed without ending the recording.
    app.app.disconnect(second)
    expect(await begin(first)).toMatchObject({ ok: true })
    expect(reported.at(-1)).toBe('first')
  } finally {
    await app.remove()
  }
})

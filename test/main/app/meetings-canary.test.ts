import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import { speakTexts } from '../../fixtures/spoken.ts'
import { accountAt, transcribedMeeting, importFile, waveOf } from './meeting-setup.ts'

const key = 'canary0a1b2c3d4e5f60718293a4b5.Q9w8e7r6t5y4u3i2'
const escaped = Array.from(
  key,
  (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
).join('')
const json = { 'content-type': 'application/json' }

test('stores a key spoken by a service in no line, version, summary, export, file or log', async () => {
  const service = await startScriptedServer()
  const lectern = await testApp()
  try {
    service.always(({ url }) => {
      if (!url.includes('transcriptions'))
        return {
          status: 400,
          headers: { ...json, 'x-request-id': key },
          body: `{"error":{"code":"1210","message":"no ${escaped} and ${key}"}}`,
        }
      const reply = { text: `The key is ${key} as was said`, model: key, notice: key, engine: key }
      return {
        headers: json,
        body: JSON.stringify({ ...reply, id: key, request_id: key, created: 1, [key]: key }),
      }
    })
    const account = await accountAt(lectern, service.url, key)
    const [speech] = await speakTexts(['And so my fellow Americans, ask not.'], 16_000)
    if (!speech) throw new Error('nothing was said')
    const id = await importFile(lectern, 'talk.wav', waveOf([speech], 16_000), account)
    const { completeness } = await transcribedMeeting(lectern, id)
    expect(completeness.failed).toBe(0)
    const replies: unknown[] = [await lectern.raw('meetings.lines', { id })]
    expect(JSON.stringify(replies)).toContain('as was said')
    const sumUp = { id, templateId: 'built-in-decisions', streamId: 'summary-stream-canary' }
    replies.push(await lectern.raw('meetings.summarise', sumUp))
    await eventually(async () => {
      const { meeting } = await lectern.call('meetings.get', { id })
      replies.push(meeting)
      if (meeting.summaries[0]?.state !== 'failed') throw new Error('still asked')
    })
    const { segments } = await lectern.call('meetings.lines', { id })
    const segmentIds = segments.map((one) => one.id)
    replies.push(await lectern.raw('meetings.versions', { id, segmentIds }))
    replies.push(await lectern.raw('activity.list', { limit: 100 }))
    for (const format of ['txt', 'md', 'json', 'vtt'] as const) {
      const { media } = await lectern.call('meetings.export', {
        id,
        format,
        options: {},
        language: 'en',
      })
      const url = `http://127.0.0.1/media/${media.id}`
      replies.push(await (await lectern.app.fetch(new Request(url), lectern.page)).text())
    }
    await lectern.stop()
    const texts = new Map([
      ['replies', JSON.stringify(replies)],
      ['events', JSON.stringify(lectern.events)],
      ['log', lectern.logLines.join('\n')],
    ])
    for (const entry of await readdir(lectern.home, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) texts.set(path, (await readFile(path)).toString('latin1'))
    }
    for (const [where, text] of texts)
      for (const spelling of [key, escaped, encodeURIComponent(key)])
        expect(text.includes(spelling), where).toBe(false)
  } finally {
    await lectern.remove()
    await service.close()
  }
})

import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, test } from 'vitest'
import { testApp, type TestApp } from '../../../../../fixtures/app.ts'

let app: TestApp
afterEach(() => app.remove())

/** The name under which the browser saves a stored file. */
async function savedAs(media: string, name: string): Promise<string> {
  const outcome = await app.call('files.save', { media, name })
  if (outcome.state !== 'download') throw new Error(outcome.state)
  const request = new Request(`http://127.0.0.1/media/${outcome.media}`)
  const answer = await app.app.fetch(request, app.page)
  await answer.body?.cancel()
  const disposition = answer.headers.get('content-disposition') ?? ''
  return decodeURIComponent(disposition.split(`filename*=UTF-8''`)[1] ?? '')
}

test('keeps file names given by the user, and replaces risky extensions from the provider', async () => {
  const names = 'report.html 纪要.htm minutes.doc minutes.docx table.xls talk.ppt feed.xml'.split(
    ' ',
  )
  app = await testApp()
  const ids = new Map<string, string>()
  for (const name of names) {
    const reply = await app.intake(name, new TextEncoder().encode(`the words of ${name}`))
    if (!reply.ok) throw new Error(reply.error.code)
    ids.set(name, reply.data.media.id)
  }
  for (const name of names) expect(await savedAs(ids.get(name) ?? '', name)).toBe(name)
  await app.stop()
  app = await testApp({ home: app.home })
  for (const name of names) expect(await savedAs(ids.get(name) ?? '', name)).toBe(name)
  expect(await savedAs(ids.get('report.html') ?? '', 'invoice.hta')).toBe('invoice.hta.html')
  await app.stop()
  const db = new Database(join(app.home, 'library.db'))
  db.exec(`UPDATE media SET origin = 'received'`)
  db.close()
  app = await testApp({ home: app.home })
  for (const name of names) {
    const isSafe = name.endsWith('.docx')
    expect(await savedAs(ids.get(name) ?? '', name)).toBe(isSafe ? name : `${name}.bin`)
  }
})

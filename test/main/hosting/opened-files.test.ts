import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reply } from '../../../src/shared/bridge/reply.ts'
import { openFiles } from '../../../src/main/hosting/opened-files.ts'
import { notedApp } from '../loopback/fixture.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-opened-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a file that cannot be taken is named and written down, and the others are taken', async () => {
  const names = ['good.wav', 'damaged.wav', 'gone.wav', 'busy.wav']
  const paths = names.map((name) => join(folder, name))
  for (const path of paths) writeFileSync(path, 'RIFF')
  rmSync(paths[2] ?? '')
  chmodSync(paths[0] ?? '', 0o600)
  const app = notedApp()
  const failure = (code: 'DAMAGED_FILE' | 'READ_ONLY'): Reply<never> => ({
    ok: false,
    error: { code, message: '', retriable: false, at: 0 },
  })
  app.answer = async (request) => {
    const name = request.headers.get('x-lectern-name')
    // As the intake does: the body is read, and a file that is not there breaks it.
    await request.text()
    if (name === 'damaged.wav') return Response.json(failure('DAMAGED_FILE'))
    return Response.json({ ok: true, data: { media: { id: name } } })
  }
  const request = app.request.bind(app)
  app.request = async (connection, route, payload) =>
    JSON.stringify(payload).includes('busy')
      ? failure('READ_ONLY')
      : request(connection, route, payload)
  const lines: unknown[] = []
  const note = (message: string, fields?: object): void => void lines.push({ message, ...fields })
  const refused = await openFiles(paths, {
    app,
    connection: { id: 'host', push() {} },
    ids: () => 'stream',
    origin: 'http://127.0.0.1:1',
    log: { info: note, warn: note, error: note },
  })
  expect(refused).toEqual(['damaged.wav', 'gone.wav', 'busy.wav'])
  const message = 'opened file was not taken'
  for (const code of ['DAMAGED_FILE', 'INTERNAL', 'READ_ONLY'])
    expect(lines).toContainEqual({ message, code })
  expect(app.requests.map(({ payload }) => payload)).toEqual([
    { mediaId: 'good.wav', title: 'good', streamId: 'stream' },
  ])
})

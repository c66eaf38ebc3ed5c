import { afterEach, beforeEach, expect, test } from 'vitest'
import { testApp, type TestApp } from '../../fixtures/app.ts'

let app: TestApp

beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.remove())

/** Bytes that match the signature of no file type. */
const noise = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7 + 3) % 120)

const kindOf = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
  const taken = await app.intake(name, bytes)
  if (!taken.ok) throw new Error(taken.error.message)
  return app.raw('library.kindOf', { mediaId: taken.data.media.id })
}

test.each([
  ['Interview.MP3', 'MP3'],
  ['voice.opus', 'OGG'],
  ['scan.pdf', 'PDF'],
  ['photo.jpg', 'JPEG'],
])('reports %s with an unknown signature as damaged', async (name, kind) => {
  expect(await kindOf(name, noise)).toMatchObject({
    ok: false,
    error: { code: 'DAMAGED_FILE', params: { kind, reason: 'start' } },
  })
})

test.each(['notes.bin', 'talk', 'letter.docx'])(
  'treats %s with an unknown signature as a meeting',
  async (name) => {
    expect(await kindOf(name, noise)).toMatchObject({ ok: true, data: { kind: 'meeting' } })
  },
)

test('treats an archive named like an audio file as a meeting', async () => {
  const zip = Uint8Array.from(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), noise]))
  expect(await kindOf('talk.mp3', zip)).toMatchObject({ ok: true, data: { kind: 'meeting' } })
})

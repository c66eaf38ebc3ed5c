import { afterEach, beforeEach, expect, test } from 'vitest'
import { testApp, type TestApp } from '../../fixtures/app.ts'

let app: TestApp

beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.remove())

/** Bytes that begin like no kind of file. */
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
])('%s that begins like nothing is told to be damaged', async (name, kind) => {
  expect(await kindOf(name, noise)).toMatchObject({
    ok: false,
    error: { code: 'DAMAGED_FILE', params: { kind, reason: 'start' } },
  })
})

test.each(['notes.bin', 'talk', 'letter.docx'])(
  '%s that begins like nothing is told to be of no kind that opens',
  async (name) => {
    expect(await kindOf(name, noise)).toMatchObject({ ok: true, data: { kind: 'recording' } })
  },
)

test('an archive with the name of a sound is told to be an archive', async () => {
  const zip = Uint8Array.from(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), noise]))
  expect(await kindOf('talk.mp3', zip)).toMatchObject({ ok: true, data: { kind: 'recording' } })
})

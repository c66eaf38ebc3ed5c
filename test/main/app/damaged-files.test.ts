import { afterEach, beforeEach, expect, test } from 'vitest'
import { testApp, type TestApp } from '../../fixtures/app.ts'

let app: TestApp

beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.remove())

/** Bytes that match the signature of no file type. */
const noise = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7 + 3) % 120)

const importFile = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
  const taken = await app.intake(name, bytes)
  if (!taken.ok) throw new Error(taken.error.message)
  return app.raw('library.import', { mediaId: taken.data.media.id })
}

test.each([
  ['Interview.MP3', 'MP3'],
  ['voice.opus', 'OGG'],
  ['scan.pdf', 'PDF'],
  ['photo.jpg', 'JPEG'],
])('reports %s with an unknown signature as damaged', async (name, kind) => {
  expect(await importFile(name, noise)).toMatchObject({
    ok: false,
    error: { code: 'DAMAGED_FILE', params: { kind, reason: 'start' } },
  })
})

test.each(['notes.bin', 'talk', 'letter.docx'])(
  'refuses %s with an unknown signature as a meeting',
  (name) => expectRefusedMeeting(name, noise),
)

test('refuses an archive named like an audio file as a meeting', () => {
  const zip = Uint8Array.from(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), noise]))
  return expectRefusedMeeting('talk.mp3', zip)
})

/** Expects the reason that the import of a meeting gives. */
async function expectRefusedMeeting(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const taken = await app.intake(name, bytes)
  if (!taken.ok) throw new Error(taken.error.message)
  const { id: mediaId } = taken.data.media
  const refused = await app.raw('meetings.import', { mediaId })
  if (refused.ok) throw new Error('the file became a meeting')
  const { at: _, ...error } = refused.error
  expect(error.code).not.toBe('DAMAGED_FILE')
  expect(await app.raw('library.import', { mediaId })).toMatchObject({ ok: false, error })
}

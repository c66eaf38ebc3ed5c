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

test.each(['%PDF-1.7\nnothing', '%PDF nothing', '%PDF'])(
  'reports a PDF that cannot be read as damaged: %j',
  async (text) => {
    expect(await importFile('broken.pdf', Uint8Array.from(Buffer.from(text)))).toMatchObject({
      ok: false,
      error: { code: 'DAMAGED_FILE', params: { kind: 'pdf' } },
    })
  },
)

test('reports an office file with an unknown signature as damaged', async () => {
  expect(await importFile('letter.docx', noise)).toMatchObject({
    ok: false,
    error: { code: 'DAMAGED_FILE', params: { kind: 'Word', problem: 'text-file' } },
  })
})

test.each(['notes.bin', 'talk', 'letter.rtf'])(
  'refuses %s with an unknown signature as a meeting',
  async (name) => {
    const { imported, asMeeting } = await refusalsOf(name, noise)
    expect(imported).toEqual(asMeeting)
    expect(imported.code).not.toBe('DAMAGED_FILE')
  },
)

test('refuses an archive named like an audio file as a meeting', async () => {
  const zip = Uint8Array.from(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), noise]))
  const { imported, asMeeting } = await refusalsOf('talk.mp3', zip)
  expect(imported).toEqual(asMeeting)
  expect(imported.code).not.toBe('DAMAGED_FILE')
})

/** Returns why a file is not imported, and why it cannot be imported as a meeting. */
async function refusalsOf(name: string, bytes: Uint8Array<ArrayBuffer>) {
  const taken = await app.intake(name, bytes)
  if (!taken.ok) throw new Error(taken.error.message)
  const { id: mediaId } = taken.data.media
  const asMeeting = await app.raw('meetings.import', { mediaId })
  const imported = await app.raw('library.import', { mediaId })
  if (asMeeting.ok || imported.ok) throw new Error('the file was imported')
  return {
    asMeeting: { ...asMeeting.error, at: 0 },
    imported: { ...imported.error, at: 0 },
  }
}

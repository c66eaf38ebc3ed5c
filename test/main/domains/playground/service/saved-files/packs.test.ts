import { expect, onTestFinished, test } from 'vitest'

import { unsigned } from '../../../../../../src/main/platform/security/unsigned.ts'
import type { SavedFile, SavedRole } from '../../../../../../src/shared/model/saved-file.ts'
import {
  createPacks,
  packNames,
} from '../../../../../../src/main/domains/playground/service/saved-files/file-packs.ts'
import { noise, openLibrary, streamOf } from '../../../../platform/files/fixture.ts'
import { memoryLog, temporaryHome } from '../../../../platform/database/fixture.ts'
import { essenceOf } from '../../../../../../src/main/domains/playground/service/remote-items/comparable-json.ts'
import { workerUrl } from '../../../../../fixtures/worker-url.ts'

const file = (role: SavedRole, place: number, name: string) => ({ role, place, name })

test('sorts pages in an archive on every system, with unique names that cannot escape', () => {
  expect(
    packNames([
      file('page', 0, '1.png'),
      file('page', 9, 'ten.webp'),
      file('page', 99, 'x'),
      file('file', 0, 'deck.pptx'),
      file('file', 1, 'DECK.pptx'),
      file('image', 0, '../../etc/passwd'),
      file('image', 1, '.png'),
      file('file', 2, 'nul.txt'),
      file('file', 3, 'ends in a dot.'),
    ]),
  ).toEqual([
    'pages/page-001.png',
    'pages/page-010.webp',
    'pages/page-100',
    'deck.pptx',
    'DECK (2).pptx',
    '__.._etc_passwd',
    '_png',
    'nul_.txt',
    'ends in a dot',
  ])
})

test('ignores signatures when comparing URLs, but not other parameters', () => {
  const at = (query: string) => unsigned(`https://x.test/a.png?${query}`)
  expect(at('page=1&Signature=a&Expires=5&X-Amz-Date=1')).toBe(
    at('page=1&Expires=9&OSSAccessKeyId=k'),
  )
  expect(at('page=1')).not.toBe(at('page=2'))
  expect(unsigned('no address?token=1')).toBe('no address?token=1')
})

test('ignores volatile fields and field order when comparing responses, but not content', () => {
  const one = { a: 1, b: [{ x: 'words', request_id: 'q1' }], timestamp: 5 }
  expect(essenceOf(one)).toBe(
    essenceOf({ timestamp: 6, b: [{ request_id: 'q2', x: 'words' }], a: 1 }),
  )
  expect(essenceOf(one)).not.toBe(essenceOf({ ...one, a: 2 }))
  expect(essenceOf({ a: null })).not.toBe(essenceOf({}))
})

test('marks an archive of response files as received from the network, like the files', async () => {
  const folder = temporaryHome()
  const { store, files } = await openLibrary(folder.home)
  const packs = createPacks({
    home: folder.home,
    ids: () => 'pack',
    log: memoryLog(),
    workerUrl,
    files,
  })
  onTestFinished(async () => {
    await packs.close()
    await store.close()
    folder.remove()
  })
  const { id: mediaId } = await files.intake(streamOf([noise(100)]).stream, 'deck.pptx')
  const saved = { ...file('file', 0, 'deck.pptx'), mediaId } as SavedFile
  const pack = await packs.pack('Slides', [saved])
  expect(files.isReceived(pack.mediaId)).toBe(true)
  // The user's own file is not marked.
  const own = await files.intake(
    streamOf([noise(90)]).stream,
    'a',
    undefined,
    undefined,
    'imported',
  )
  expect(files.isReceived(own.id)).toBe(false)
})

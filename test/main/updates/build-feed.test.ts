import { expect, test } from 'vitest'
import { updateFeedConfig } from '../../../src/shared/contract/update-feed.ts'
import { buildFeed } from '../../../src/main/updates/app-updates.ts'

test('reads the feed of this build', () => {
  expect(() => buildFeed()).not.toThrow()
})

const key = Buffer.alloc(32, 1).toString('base64')
test.each([
  [{ mirrors: ['http://mirror.example/lectern/'] }, 'a mirror without encryption'],
  [{ mirrors: ['https://mirror.example/lectern'] }, 'a mirror without a trailing slash'],
  [{ publicKeys: ['abc'] }, 'a key of the wrong length'],
  [{ downloadPage: 'javascript:alert(1)' }, 'an invalid download page'],
])('rejects %o: %s', (some, _what) => {
  const whole = {
    mirrors: ['https://one.example/lectern/', 'https://two.example/lectern/'],
    publicKeys: [key],
    downloadPage: 'https://lectern.example/download',
    windowsPublishers: [],
  }
  expect(updateFeedConfig().safeParse(whole).success).toBe(true)
  expect(updateFeedConfig().safeParse({ ...whole, ...some }).success).toBe(false)
})

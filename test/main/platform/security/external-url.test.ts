import { expect, test } from 'vitest'
import { checkExternalUrl } from '../../../../src/main/platform/security/external-url.ts'
import { goodLinks, hostileLinks } from './links.ts'

test.each(hostileLinks)('does not open %j: %s', (url) => {
  expect(checkExternalUrl(url).ok).toBe(false)
})

test.each(goodLinks)('opens %j as %j, shown as %j', (url, forwarded, show) => {
  expect(checkExternalUrl(url)).toMatchObject({ ok: true, url: forwarded, show })
})

test('accepts its own output again, unchanged', () => {
  for (const [url] of goodLinks) {
    const first = checkExternalUrl(url)
    if (!first.ok) throw new Error(url)
    expect(checkExternalUrl(first.url)).toEqual(first)
  }
})

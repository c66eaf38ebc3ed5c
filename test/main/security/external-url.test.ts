import { expect, test } from 'vitest'
import { judgeExternalUrl } from '../../../src/main/security/external-url.ts'
import { goodLinks, hostileLinks } from './links.ts'

test.each(hostileLinks)('does not open %j: %s', (url) => {
  expect(judgeExternalUrl(url).ok).toBe(false)
})

test.each(goodLinks)('opens %j as %j, shown as %j', (url, handedOn, show) => {
  expect(judgeExternalUrl(url)).toMatchObject({ ok: true, url: handedOn, show })
})

test('what it hands on passes again, unchanged', () => {
  for (const [url] of goodLinks) {
    const first = judgeExternalUrl(url)
    if (!first.ok) throw new Error(url)
    expect(judgeExternalUrl(first.url)).toEqual(first)
  }
})

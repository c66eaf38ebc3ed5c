import { afterEach, expect, test, vi } from 'vitest'
import { parseLink, routeOf, type ItemLink } from '../../../src/shared/links.ts'
import { useToasts } from '../../../src/renderer/src/kit/toasts.ts'
import { useCopyLink } from '../../../src/renderer/src/kit/use-copy-link.ts'
import { rendererSetup } from '../stores.ts'

afterEach(() => vi.unstubAllGlobals())

const links: readonly (readonly [ItemLink, string, string])[] = [
  [
    { kind: 'document', id: 'd-1', place: '12' },
    'lectern://open/document/d-1?page=12',
    '/documents/d-1?page=12',
  ],
  [
    { kind: 'meeting', id: 'm_1', place: '75' },
    'lectern://open/meeting/m_1?t=75',
    '/meetings/m_1?t=75',
  ],
  [{ kind: 'chat', id: 'c1', place: 'a1' }, 'lectern://open/chat/c1?message=a1', '/chats/c1?at=a1'],
  [{ kind: 'chat', id: 'c1', place: null }, 'lectern://open/chat/c1', '/chats/c1'],
]

test.each(links)('copies %j as a link that opens it', async (link, text, route) => {
  const { run } = rendererSetup()
  const toasts = run(useToasts)
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => {})
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await run(useCopyLink)(link)
  expect(writeText.mock.calls).toEqual([[text]])
  expect(toasts.toasts.map(({ key }) => key)).toEqual(['links.copied'])
  const read = parseLink(text)
  expect(read && routeOf(read)).toBe(route)
})

test('reports a clipboard that refuses, without claiming success', async () => {
  const { run } = rendererSetup()
  const toasts = run(useToasts)
  const writeText = (): Promise<void> => Promise.reject(new Error('refused'))
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await run(useCopyLink)({ kind: 'chat', id: 'c1', place: null })
  expect(toasts.toasts.map(({ key }) => key)).toEqual(['links.notCopied'])
})

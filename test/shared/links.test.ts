import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linkTo, parseLink, routeOf, type ItemLink } from '../../src/shared/links.ts'

const ids = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)
const links: fc.Arbitrary<ItemLink> = fc.oneof(
  fc.record({
    kind: fc.constant('meeting' as const),
    id: ids,
    place: fc.option(fc.integer({ min: 0, max: 9_999_999 }).map(String)),
  }),
  fc.record({
    kind: fc.constant('document' as const),
    id: ids,
    place: fc.option(fc.integer({ min: 1, max: 999_999 }).map(String)),
  }),
  fc.record({ kind: fc.constant('chat' as const), id: ids, place: fc.option(ids) }),
)
const seeded = { seed: 20_261_123, numRuns: 5000 }

test('parses every link it formats', () => {
  fc.assert(
    fc.property(links, (link) => {
      expect(parseLink(linkTo(link))).toEqual(link)
    }),
    seeded,
  )
})

test('accepts only its exact output, and leads to one of three targets', () => {
  const fragments = [
    'lectern:',
    'LECTERN:',
    '//',
    '/',
    'open',
    'run',
    'meeting',
    'document',
    'chat',
    'settings',
    'abc',
    '..',
    '%2e%2e',
    '?',
    'page=',
    't=',
    'message=',
    '1',
    '-1',
    '01',
    '1e3',
    '#',
    '&',
    ' ',
    '\n',
    '\0',
    'http://example.org',
    'file:///etc/passwd',
    '\\\\host\\share',
    '<script>',
    '"',
    '汉',
  ]
  const made = fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map((all) => all.join(''))
  fc.assert(
    fc.property(fc.oneof(made, fc.string(), fc.webUrl()), (text) => {
      const link = parseLink(text)
      if (!link) return
      expect(linkTo(link)).toBe(text)
      expect(routeOf(link)).toMatch(
        /^\/(recordings|documents|chats)\/[\w-]{1,64}(\?(t|page|at)=[\w-]{1,64})?$/,
      )
    }),
    seeded,
  )
})

test.each([
  ['lectern://open/document/abc?page=12', '/documents/abc?page=12'],
  ['lectern://open/meeting/abc?t=0', '/meetings/abc?t=0'],
  ['lectern://open/chat/abc?message=def', '/chats/abc?at=def'],
  ['lectern://open/chat/abc', '/chats/abc'],
])('resolves %s to %s', (text, route) => {
  const link = parseLink(text)
  expect(link && routeOf(link)).toBe(route)
})

test.each([
  '',
  'lectern:',
  'lectern://',
  'lectern://open/',
  'lectern://open/document/',
  'lectern://open/document/a/b',
  'lectern://open/document/abc/',
  'lectern://open/document/abc?page=0',
  'lectern://open/document/abc?page=012',
  'lectern://open/document/abc?page=1&t=2',
  'lectern://open/document/abc?t=2',
  'lectern://open/document/abc#x',
  'lectern://open/document/..%2f..%2fetc',
  'lectern://open/document/%61bc',
  'lectern://open/settings/abc',
  'lectern://erase/document/abc',
  'LECTERN://open/document/abc',
  ' lectern://open/document/abc',
  'lectern://open/document/abc\n',
  'lectern://user@open/document/abc',
  'lectern://open:80/document/abc',
  `lectern://open/document/${'a'.repeat(65)}`,
  'lectern://open/meeting/abc?t=1.5',
  'lectern://open/meeting/abc?t=99999999',
])('rejects %j', (text) => {
  expect(parseLink(text)).toBeNull()
})

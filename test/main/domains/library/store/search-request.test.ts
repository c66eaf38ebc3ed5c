import { expect, test } from 'vitest'
import {
  isTypedOn,
  type SearchRequest,
} from '../../../../../src/main/domains/library/store/search-request.ts'

const libraryRequest = (query: string): SearchRequest => ({ in: 'library', query, limit: 3 })

test.each([
  ['letters were added', 'meet', 'me', true],
  ['letters were deleted', 'me', 'meet', true],
  ['the same words are searched elsewhere', 'me', 'me', false],
  ['other words are searched elsewhere', 'rent', 'me', false],
  ['the worker is started in advance', '', 'me', false],
  ['the worker was starting', 'me', '', false],
])('%s: %j after %j ends the older search: %j', (_, newer, older, ends) => {
  expect(isTypedOn(libraryRequest(newer), libraryRequest(older))).toBe(ends)
})

test('treats each kind of search and each chat as a separate input', () => {
  const find = (id: string, query: string): SearchRequest => ({ in: 'conversation', id, query })
  expect(isTypedOn(find('a', 'meet'), find('a', 'me'))).toBe(true)
  expect(isTypedOn(find('a', 'meet'), find('b', 'me'))).toBe(false)
  expect(isTypedOn(libraryRequest('meet'), find('a', 'me'))).toBe(false)
})

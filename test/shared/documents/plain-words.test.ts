import { expect, test } from 'vitest'
import { plainMarkdown, plainWords } from '../../../src/shared/documents/plain-text.ts'

const words = (content: string): string => plainWords({ kind: 'text', content, edited: null })

test.each([
  ['## Chapter 3', 'Chapter 3'],
  ['# Title #', 'Title'],
  ['#hashtag stays', '#hashtag stays'],
  ['Heading\n=======\nbelow', 'Heading below'],
  ['**Bold** and *slanted* and ***both***', 'Bold and slanted and both'],
  [
    '__Bold__ and _slanted_, but snake_case_name stays',
    'Bold and slanted, but snake_case_name stays',
  ],
  ['**nested *marks* here**', 'nested marks here'],
  ['~~gone~~ `code` it', 'gone code it'],
  ['> quoted\n> - item', 'quoted item'],
  ['- [x] done\n- [ ] open\n1. first', 'done open first'],
  ['see [the page](https://example.org "title") now', 'see the page now'],
  ['| a | b |\n|---|:-:|\n| c | d |', 'a b c d'],
  ['```js\nlet a = 1\n```', 'let a = 1'],
  ['2 * 3 * 4 = 24', '2 * 3 * 4 = 24'],
  ['5 \\* 3 \\# 1', '5 * 3 # 1'],
  ['## 第三章　灯塔', '第三章 灯塔'],
  ['<table><tr><td>a</td><td>b</td></tr></table>', 'a b'],
  ['---', ''],
])('turns %j into %j', (content, expected) => expect(words(content)).toBe(expected))

test('returns no words for a formula, and prefers the user’s edit to the returned text', () => {
  expect(plainWords({ kind: 'formula', content: '$$x^2$$', edited: null })).toBe('')
  expect(plainWords({ kind: 'title', content: '# a', edited: '# b' })).toBe('b')
})

test.each(['[', '*', '_', '`', '# ', '> ', '|', '- ', '[a](', '**a', '~~'])(
  'handles a long text of nothing but %j at once',
  (fragment) =>
    expect(words(fragment.repeat(40_000)).length).toBeLessThanOrEqual(40_000 * fragment.length),
)

test('returns the words of an answer cut off anywhere on one line', () => {
  expect(plainMarkdown('# Title\n\n```js\nlet a\n\n- **b** [c](https://exa')).toBe(
    'Title let a b [c](https://exa',
  )
})

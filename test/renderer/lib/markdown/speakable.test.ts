import { expect, test } from 'vitest'
import { formulaMessages } from '../../../../src/renderer/src/lib/markdown/formula-messages.ts'
import { speakable } from '../../../../src/renderer/src/lib/markdown/speakable.ts'

const words = { code: 'Code omitted.', formula: 'Formula omitted.' }
const spokenText = (markdown: string): string => speakable(markdown, words)

test('turns headings and items into sentences, drops emphasis and keeps paragraphs', () => {
  expect(
    spokenText(
      '# The *plan*\n\nWe **go** there\nby `train`.\n\n- one\n- two!\n\n1. first\n2. second',
    ),
  ).toBe('The plan.\n\nWe go there by train.\n\none.\n\ntwo!\n\nfirst.\n\nsecond.')
})

test('reads the text of links, the site of URLs and the description of images', () => {
  expect(
    spokenText('See [the manual](https://a.example/x?y=1) or https://www.example.com/a/b.'),
  ).toBe('See the manual or example.com.')
  expect(spokenText('![A red fox](fox.png) runs.')).toBe('A red fox runs.')
})

test('skips citation and footnote marks', () => {
  expect(spokenText('It grew by half [12], [3, 5–7] as was shown[^1].')).toBe(
    'It grew by half, as was shown.',
  )
  expect(spokenText('A list [x] stays.')).toBe('A list [x] stays.')
})

test('reads table rows as sentences with column headers, in Markdown and HTML', () => {
  const table = '| Name | Born |\n|---|---|\n| Ada | 1815 |\n| Alan | |'
  expect(spokenText(table)).toBe('Name: Ada; Born: 1815.\n\nName: Alan.')
  const html =
    '<table><tr><th>姓名</th><th>年龄</th></tr><tr><td>小明</td><td>8&nbsp;岁</td></tr></table>'
  expect(spokenText(html)).toBe('姓名：小明；年龄：8 岁。')
})

test('names code without spelling it and speaks formulas as far as they can be followed', () => {
  expect(spokenText('Before.\n\n```js\nconst a = 1\n```\n\nAfter.')).toBe(
    'Before.\n\nCode omitted.\n\nAfter.',
  )
  expect(spokenText('It holds that $E = mc^2$ and $\\frac{a+b}{2} \\leq \\alpha_{n}$.')).toBe(
    'It holds that E = mc² and (a+b) / 2 ≤ alpha n.',
  )
  expect(spokenText('$$\n\\begin{matrix} a & b \\\\ c & d \\end{matrix}\n$$')).toBe(
    'Formula omitted.',
  )
  expect(formulaMessages('\\text{speed} = \\sqrt{x}')).toBe('speed = √ x')
})

test('joins Chinese lines wrapped by a page into one sentence', () => {
  expect(spokenText('今天天气\n很好。\n\n## 计划')).toBe('今天天气很好。\n\n计划。')
})

test('skips HTML comments and tags, and returns nothing for text without words', () => {
  expect(spokenText('<!-- page 3 -->\n\n<p>One<br>two &amp; three</p>')).toBe(
    'One.\n\ntwo & three.',
  )
  expect(spokenText('---\n\n***')).toBe('')
})

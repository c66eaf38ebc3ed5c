import { expect, test } from 'vitest'
import { cellStyle } from '../../../src/renderer/src/markdown/clean.ts'
import { isDeep } from '../../../src/renderer/src/markdown/formula.ts'
import { linkAddress } from '../../../src/renderer/src/markdown/links.ts'
import { pictureAddress } from '../../../src/renderer/src/markdown/pictures.ts'
import { loadOf, weigh } from '../../../src/renderer/src/markdown/weigh.ts'

const weightOf = (text: string) => weigh(loadOf(text))

test('an ordinary block is light, a huge table is asked for, what is without measure is refused', () => {
  expect(weightOf('Words. '.repeat(1000))).toBe('light')
  expect(weightOf(`<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(200)}</table>`)).toBe('light')
  expect(weightOf(`<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(2000)}</table>`)).toBe('heavy')
  expect(weightOf('**b** '.repeat(5000))).toBe('heavy')
  expect(weightOf('<td>'.repeat(20_000))).toBe('over')
  expect(weightOf('<div>'.repeat(200))).toBe('over')
  expect(weightOf('<br>'.repeat(200))).toBe('light')
  expect(weightOf('a'.repeat(1_000_000))).toBe('over')
})

test('of a style a cell keeps how it is aligned and how wide it is', () => {
  expect(cellStyle('TEXT-ALIGN: Center; width:10%; position:fixed')).toBe(
    'text-align:center;width:10%',
  )
  expect(cellStyle('width:calc(1px);text-align:url(x);background:url(http://a)')).toBe('')
  expect(cellStyle('width:99999px;height:3px')).toBe('')
  expect(cellStyle('width:10px}*{color:red')).toBe('')
})

test('links go to http, https and mail, and carry no names', () => {
  expect(linkAddress('https://example.test/a b')).toBe('https://example.test/a%20b')
  expect(linkAddress(' HTTP://example.test')).toBe('http://example.test/')
  expect(linkAddress('mailto:a@example.test')).toBe('mailto:a@example.test')
  for (const href of [
    'javascript:1',
    'data:text/html,x',
    'file:///x',
    '#a',
    '/a',
    'a',
    '',
    'https://bank@example.test',
    'https://',
    'app://bundle/',
    `https://a/${'x'.repeat(3000)}`,
  ])
    expect([href, linkAddress(href)]).toEqual([href, null])
})

test('pictures come from our media and from the text itself, from nowhere else', () => {
  const base = 'app://media/'
  const own = (address: string) =>
    address === 'page=1' ? `${base}abc-1` : address.startsWith('bad') ? `${base}${address}` : null
  expect(pictureAddress('page=1', base, own)).toBe('app://media/abc-1')
  expect(pictureAddress('page=1', '', own)).toBeNull()
  expect(pictureAddress('bad/../../x', base, own)).toBeNull()
  expect(pictureAddress('bad?x', base, own)).toBeNull()
  expect(pictureAddress('page=1', base, () => 'https://a/')).toBeNull()
  expect(pictureAddress('https://a/b.png', base, own)).toBeNull()
  expect(pictureAddress('app://media/abc', base, own)).toBeNull()
  expect(pictureAddress('data:image/png;base64,iVBORw0=', base, own)).toBe(
    'data:image/png;base64,iVBORw0=',
  )
  expect(pictureAddress('data:image/svg+xml;base64,AAAA', base, own)).toBeNull()
  expect(pictureAddress('data:image/png;base64,<x>', base, own)).toBeNull()
  expect(pictureAddress(`data:image/png;base64,${'A'.repeat(3_000_000)}`, base, own)).toBeNull()
})

test('formulas that lie too deep in themselves are known before they are drawn', () => {
  expect(isDeep('\\frac{a}{\\sqrt{b_{c}}}')).toBe(false)
  expect(isDeep('a_{1} + \\{b\\} '.repeat(200))).toBe(false)
  expect(isDeep('{'.repeat(100))).toBe(true)
  expect(isDeep('\\left('.repeat(100))).toBe(true)
  expect(isDeep('\\sqrt'.repeat(100))).toBe(true)
  expect(isDeep('\\alpha\\beta\\gamma + '.repeat(30))).toBe(false)
})

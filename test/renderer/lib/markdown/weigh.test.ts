import { expect, test } from 'vitest'
import { cellStyle } from '../../../../src/renderer/src/lib/markdown/clean.ts'
import { isDeep } from '../../../../src/renderer/src/lib/markdown/formula.ts'
import { linkAddress } from '../../../../src/renderer/src/lib/markdown/links.ts'
import { imageAddress } from '../../../../src/renderer/src/lib/markdown/images.ts'
import { loadOf, weigh } from '../../../../src/renderer/src/lib/markdown/render-cost.ts'

/** Returns the header of a PNG of this size. */
function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\0\0\0\0\0\x01\0', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
/** Returns a JPEG up to its frame, after an Exif segment. */
function jpegOf(width: number, height: number, between = ''): Buffer {
  const frame = Buffer.from('\xff\xc2\0\x11\x08\0\0\0\0\x03', 'latin1')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from(`\xff\xd8\xff\xe1\0\x04ab${between}`, 'latin1'), frame])
}
const written = (mime: string, bytes: Buffer): string =>
  `data:${mime};base64,${bytes.toString('base64')}`

const weightOf = (text: string) => weigh(loadOf(text))

test('classifies a normal block as light, a huge table as heavy and unbounded content as over', () => {
  expect(weightOf('Words. '.repeat(1000))).toBe('light')
  expect(weightOf(`<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(200)}</table>`)).toBe('light')
  expect(weightOf(`<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(2000)}</table>`)).toBe('heavy')
  expect(weightOf('**b** '.repeat(5000))).toBe('heavy')
  expect(weightOf('<td>'.repeat(20_000))).toBe('over')
  expect(weightOf('<div>'.repeat(200))).toBe('over')
  expect(weightOf('<br>'.repeat(200))).toBe('light')
  expect(weightOf('a'.repeat(1_000_000))).toBe('over')
})

test('keeps only alignment and width from the style of a cell', () => {
  expect(cellStyle('TEXT-ALIGN: Center; width:10%; position:fixed')).toBe(
    'text-align:center;width:10%',
  )
  expect(cellStyle('width:calc(1px);text-align:url(x);background:url(http://a)')).toBe('')
  expect(cellStyle('width:99999px;height:3px')).toBe('')
  expect(cellStyle('width:10px}*{color:red')).toBe('')
})

test('allows links to http, https and mail only, without names', () => {
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

test('loads images only from our media and data URIs', () => {
  const base = 'app://media/'
  const own = (address: string) =>
    address === 'page=1' ? `${base}abc-1` : address.startsWith('bad') ? `${base}${address}` : null
  expect(imageAddress('page=1', base, own)).toBe('app://media/abc-1')
  expect(imageAddress('page=1', '', own)).toBeNull()
  expect(imageAddress('bad/../../x', base, own)).toBeNull()
  expect(imageAddress('bad?x', base, own)).toBeNull()
  expect(imageAddress('page=1', base, () => 'https://a/')).toBeNull()
  expect(imageAddress('https://a/b.png', base, own)).toBeNull()
  expect(imageAddress('app://media/abc', base, own)).toBeNull()
  const dot = written('image/png', pngOf(1, 1))
  expect(imageAddress(dot, base, own)).toBe(dot)
  expect(imageAddress('data:image/svg+xml;base64,AAAA', base, own)).toBeNull()
  expect(imageAddress('data:image/png;base64,<x>', base, own)).toBeNull()
  expect(imageAddress(`data:image/png;base64,${'A'.repeat(3_000_000)}`, base, own)).toBeNull()
})

test('hides an embedded image that would decode to gigabytes, whatever its declared type', () => {
  const shown = (mime: string, bytes: Buffer): boolean =>
    imageAddress(written(mime, bytes), 'app://media/', () => null) !== null
  expect(shown('image/png', pngOf(4000, 6000))).toBe(true)
  expect(shown('image/jpeg', jpegOf(4000, 6000))).toBe(true)
  expect(shown('image/png', pngOf(23_000, 23_000))).toBe(false)
  expect(shown('image/jpeg', jpegOf(60_000, 60_000))).toBe(false)
  // Browsers detect the type by the bytes.
  expect(shown('image/jpeg', pngOf(23_000, 23_000))).toBe(false)
  for (const other of ['GIF89a\xff\xff\xff\xff', 'RIFF\0\0\0\0WEBPVP8L', 'BM', '<svg/>', ''])
    expect([other, shown('image/png', Buffer.from(other, 'latin1'))]).toEqual([other, false])
  // Decoders skip bytes between segments.
  expect(shown('image/jpeg', jpegOf(10, 10, '\0\0'))).toBe(false)
  expect(shown('image/jpeg', jpegOf(10, 10, '\xff\xff'))).toBe(true)
  expect(shown('image/png', pngOf(0, 10))).toBe(false)
})

test('detects formulas that are nested too deeply before rendering', () => {
  expect(isDeep('\\frac{a}{\\sqrt{b_{c}}}')).toBe(false)
  expect(isDeep('a_{1} + \\{b\\} '.repeat(200))).toBe(false)
  expect(isDeep('{'.repeat(100))).toBe(true)
  expect(isDeep('\\left('.repeat(100))).toBe(true)
  expect(isDeep('\\sqrt'.repeat(100))).toBe(true)
  expect(isDeep('\\alpha\\beta\\gamma + '.repeat(30))).toBe(false)
})

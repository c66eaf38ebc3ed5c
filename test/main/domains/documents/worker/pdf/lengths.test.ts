import { afterEach, beforeEach, expect, test } from 'vitest'
import { withDirectLengths } from '../../../../../../src/main/domains/documents/worker/pdf/parts/lengths.ts'
import { openSplitSource } from '../../../../../../src/main/domains/documents/worker/pdf/parts/source.ts'
import { writePages } from '../../../../../../src/main/domains/documents/worker/pdf/parts/write-part.ts'
import { seen, tempFolder } from './fixture.ts'

let folder: ReturnType<typeof tempFolder>
beforeEach(() => (folder = tempFolder()))
afterEach(() => folder.remove())

const content = 'BT /F1 14 Tf 40 350 Td (\nstream of words endstreams) Tj ET'

/** A one-page PDF as text, without a cross-reference table; `length` is the value in its content's dictionary. */
const pdfWith = (length: string): Buffer =>
  Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj',
      '2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 400]>>\nendobj',
      '3 0 obj\n<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 6 0 R>>>>>>\nendobj',
      `4 0 obj\n<</Length ${length}/Length1 7/Length2 5 0 R>>\nstream\n${content}\nendstream\nendobj`,
      `5 0 obj\n${content.length}\nendobj`,
      '6 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj',
      'trailer\n<</Root 1 0 R/Size 7>>\nstartxref\n0\n%%EOF\n',
    ].join('\n'),
    'latin1',
  )

test('writes lengths from separate objects to their streams', async () => {
  const whole = folder.file('direct.pdf', pdfWith(String(content.length)))
  const [before] = await seen(whole, [1])
  expect(before?.text).toContain('stream of words')
  for (const length of ['5 0 R', '  5  0  R', String(content.length)]) {
    const source = await openSplitSource(pdfWith(length), '')
    const path = `${folder.path}/part.pdf`
    writePages(source, source.pages, path, 1e6)
    const [after] = await seen(path, [1])
    expect(after?.text).toBe(before?.text)
    expect(before && after?.pixels.equals(before.pixels)).toBe(true)
  }
})

test('changes only stream lengths, and extends the file where there is no room', () => {
  const text = (bytes: Buffer): string => withDirectLengths(bytes).toString('latin1')
  const direct = pdfWith(String(content.length))
  expect(text(direct)).toBe(direct.toString('latin1'))
  const pattern = new RegExp(`/Length\\s+${content.length}\\s*/Length1 7/Length2 5 0 R>>`)
  expect(text(pdfWith('5 0 R'))).toMatch(pattern)
  expect(text(pdfWith('5 0 R'))).toHaveLength(pdfWith('5 0 R').length)
  const other = Buffer.from(
    '1 0 obj\n<</Length 7 0 R/Length1 8>>\nendobj\n7 0 obj\n3\nendobj\nstream\n',
  )
  expect(text(Buffer.from(other))).toBe(other.toString('latin1'))
  // Wrong, and too short for the correct value.
  const long = 'x'.repeat(5000)
  const wrong = Buffer.from(`1 0 obj\n<</Length 9>>\nstream\n${long}\nendstream\nendobj\n`)
  expect(text(wrong)).toBe(`1 0 obj\n<</Length 5000>>\nstream\n${long}\nendstream\nendobj\n`)
  const open = Buffer.from('1 0 obj\n<</Length 9>>\nstream\nnever ends')
  expect(text(Buffer.from(open))).toBe(open.toString('latin1'))
})

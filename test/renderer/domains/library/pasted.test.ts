import { expect, test } from 'vitest'
import {
  named,
  pastedFiles,
} from '../../../../src/renderer/src/domains/library/intake/pasted-files.ts'

const imageFile = (name = 'image.png', type = 'image/png'): File =>
  new File(['bits'], name, { type })
const at = new Date(2026, 10, 21, 9, 5, 7)
const names = (files: readonly File[]): readonly string[] =>
  named(files, at, (date) => `Pasted ${date}`).map(({ name }) => name)

test('names an unnamed image by its time, and distinguishes several', () => {
  expect(
    names([imageFile(), imageFile('', 'image/jpeg'), imageFile('IMAGE.webp', 'image/webp')]),
  ).toEqual([
    'Pasted 2026-11-21 09.05.07.png',
    'Pasted 2026-11-21 09.05.07 (2).jpg',
    'Pasted 2026-11-21 09.05.07 (3).webp',
  ])
})

test('keeps name, type and content of a copied file', async () => {
  expect(
    names([imageFile('report.pdf', 'application/pdf'), imageFile('image of a cat.png')]),
  ).toEqual(['report.pdf', 'image of a cat.png'])
  const [file] = named([imageFile()], at, () => 'a')
  expect([file?.type, await file?.text()]).toEqual(['image/png', 'bits'])
})

test('keeps text while writing, but accepts an image there too', () => {
  const item = { kind: 'file', getAsFile: () => imageFile() }
  const word = { files: [imageFile()], items: [], types: ['text/plain', 'text/html', 'Files'] }
  expect(pastedFiles(word, true)).toEqual([])
  expect(pastedFiles(word, false)).toHaveLength(1)
  expect(pastedFiles({ files: [imageFile()], items: [], types: ['Files'] }, true)).toHaveLength(1)
  expect(pastedFiles({ files: [], items: [item], types: ['Files'] }, false)).toHaveLength(1)
  const words = { kind: 'string', getAsFile: () => null }
  expect(pastedFiles({ files: [], items: [words], types: ['text/plain'] }, false)).toEqual([])
})

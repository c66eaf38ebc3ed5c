import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { pdfOptions } from '../../../src/shared/documents/pdf-options.ts'

const places = [
  [win32, 'C:\\Program Files\\Lectern\\node_modules\\pdfjs-dist'],
  [win32, '\\\\server\\share\\Lectern\\pdfjs-dist'],
  [win32, '\\\\?\\C:\\deep\\pdfjs-dist'],
  [posix, '/opt/lectern/node_modules/pdfjs-dist'],
  [posix, '/home/a\\b/pdfjs-dist'],
] as const

test.each(places)('has existing pdf.js folders that end in a slash: %o', (path, folder) => {
  const { cMapUrl, standardFontDataUrl, wasmUrl, iccUrl } = pdfOptions(folder, path.sep)
  const names = ['cmaps', 'standard_fonts', 'wasm', 'iccs']
  for (const [index, url] of [cMapUrl, standardFontDataUrl, wasmUrl, iccUrl].entries()) {
    expect(url).toMatch(/[^/]\/$/)
    // pdf.js appends a name and opens the resulting path.
    expect(path.normalize(`${url}some.file`)).toBe(
      path.join(folder, names[index] ?? '', 'some.file'),
    )
  }
})

test('adds exactly one slash to a folder that ends in a separator', () => {
  expect(pdfOptions('C:\\pdfjs\\', win32.sep).wasmUrl).toBe('C:/pdfjs/wasm/')
  expect(pdfOptions('/pdfjs/', posix.sep).wasmUrl).toBe('/pdfjs/wasm/')
})

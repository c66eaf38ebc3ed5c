import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { pdfOptions } from '../../../src/shared/document/pdf-options.ts'

const places = [
  [win32, 'C:\\Program Files\\Lectern\\node_modules\\pdfjs-dist'],
  [win32, '\\\\server\\share\\Lectern\\pdfjs-dist'],
  [win32, '\\\\?\\C:\\deep\\pdfjs-dist'],
  [posix, '/opt/lectern/node_modules/pdfjs-dist'],
  [posix, '/home/a\\b/pdfjs-dist'],
] as const

test.each(places)(
  'the folders of pdf.js end in a slash and are those of the package: %o',
  (path, folder) => {
    const { cMapUrl, standardFontDataUrl, wasmUrl, iccUrl } = pdfOptions(folder, path.sep)
    const names = ['cmaps', 'standard_fonts', 'wasm', 'iccs']
    for (const [index, url] of [cMapUrl, standardFontDataUrl, wasmUrl, iccUrl].entries()) {
      expect(url).toMatch(/[^/]\/$/)
      // pdf.js puts a name behind it and opens what comes out.
      expect(path.normalize(`${url}some.file`)).toBe(
        path.join(folder, names[index] ?? '', 'some.file'),
      )
    }
  },
)

test('a folder that ends in a separator has one slash at its end, too', () => {
  expect(pdfOptions('C:\\pdfjs\\', win32.sep).wasmUrl).toBe('C:/pdfjs/wasm/')
  expect(pdfOptions('/pdfjs/', posix.sep).wasmUrl).toBe('/pdfjs/wasm/')
})

import { afterAll, expect, test } from 'vitest'
import { createDocumentProgram } from '../../../../../../src/main/domains/documents/worker/program.ts'
import { withDirectLengths } from '../../../../../../src/main/domains/documents/worker/pdf/parts/lengths.ts'
import { tempFolder } from './fixture.ts'

const folder = tempFolder()
const program = createDocumentProgram({ now: Date.now, openMs: 10_000 })
afterAll(async () => {
  await program.close()
  folder.remove()
})

/** Creates a PDF with these objects, numbered from 1. */
function paper(name: string, objects: readonly string[], trailer = ''): string {
  let text = '%PDF-1.7\n'
  const table = objects.map((object, at) => {
    const row = `${String(text.length).padStart(10, '0')} 00000 n \n`
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return row
  })
  const size = objects.length + 1
  const start = text.length
  text += `xref\n0 ${size}\n0000000000 65535 f \n${table.join('')}`
  text += `trailer<</Size ${size}/Root 1 0 R${trailer.replace('HERE', String(start))}>>\n`
  return folder.file(name, Buffer.from(`${text}startxref\n${start}\n%%EOF`, 'latin1'))
}

const stream = (content: string, entries = ''): string =>
  `<<${entries}/Length ${content.length}>>\nstream\n${content}\nendstream`
const catalog = '<</Type/Catalog/Pages 2 0 R>>'
const onePage = '<</Type/Pages/Kids[3 0 R]/Count 1>>'
const page = (entries = ''): string =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 60 80]/Contents 4 0 R${entries}>>`

const split = (path: string) =>
  program.answer({
    type: 'split',
    path,
    password: null,
    first: 1,
    last: 1,
    folder: folder.path,
    name: 'part',
    maxBytes: 5_000_000,
    raster: false,
  })

test('does not expand a page tree with shared branches exponentially', async () => {
  const doubled = Array.from({ length: 40 }, (_, at) => {
    const below = `${6 + at} 0 R ${6 + at} 0 R`
    return `<</Type/Pages/Count 0/Kids[${at < 39 ? below : ''}]>>`
  })
  const kids = '<</Type/Pages/Kids[3 0 R 5 0 R 5 0 R]/Count 1>>'
  const path = paper('tree.pdf', [catalog, kids, page(), stream(''), ...doubled])
  expect(await program.answer({ type: 'facts', path, password: null })).toMatchObject({
    facts: { pages: 1 },
  })
  expect(await split(path)).toMatchObject({ parts: [{ first: 1, last: 1 }] })
})

test('terminates on cross-reference tables and forms that refer to themselves', async () => {
  const looped = paper('table.pdf', [catalog, onePage, page(), stream('')], '/Prev HERE')
  const form = stream(
    '/X Do',
    '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>',
  )
  const drawn = page('/Resources<</XObject<</X 5 0 R>>>>')
  const self = paper('form.pdf', [catalog, onePage, drawn, stream('/X Do'), form])
  for (const path of [looped, self]) {
    expect(await program.answer({ type: 'facts', path, password: null })).toMatchObject({
      facts: { pages: 1 },
    })
    expect(
      await program.answer({ type: 'picture', path, password: null, page: 1, width: 160 }),
    ).toMatchObject({ type: 'image' })
    expect(await split(path)).toMatchObject({ parts: [{ first: 1, last: 1 }] })
  }
})

test('does not trust the page count of a page tree', async () => {
  const counted = (count: number): string =>
    paper(`count-${count}.pdf`, [
      catalog,
      `<</Type/Pages/Kids[3 0 R]/Count ${count}>>`,
      page(),
      stream(''),
    ])
  for (const count of [15_000, 2_000_000_000])
    expect(
      await program.answer({ type: 'facts', path: counted(count), password: null }),
    ).toMatchObject({ facts: { pages: 1 } })
  expect(await program.answer({ type: 'facts', path: counted(-7), password: null })).toMatchObject({
    type: 'failed',
  })
})

test('does not search to the end for each of many lengths without streams', () => {
  // Each search covered 16,000 bytes, or the rest of the file: an hour for 100 MB.
  expect(() => withDirectLengths(Buffer.from('/Length 5 '.repeat(50_000)))).toThrowError(
    'do not belong to a stream',
  )
  const endless = Buffer.from('/Length 5>>stream\n'.repeat(400_000))
  expect(withDirectLengths(endless)).toBe(endless)
})

import { afterAll, expect, test } from 'vitest'
import { createDocumentProgram } from '../../../../../../src/main/domains/documents/worker/program.ts'
import { tempFolder } from './fixture.ts'

const folder = tempFolder()
const program = createDocumentProgram({ now: Date.now, openMs: 10_000 })
afterAll(async () => {
  await program.close()
  folder.remove()
})

/** A one-page PDF with the given box and unit. */
function paper(box: string, unit: string): string {
  const objects = [
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[${box}]/UserUnit ${unit}>>endobj`,
  ]
  let text = '%PDF-1.7\n'
  const table = objects.map((object) => {
    const at = String(text.length).padStart(10, '0')
    text += `${object}\n`
    return `${at} 00000 n \n`
  })
  const end = `trailer<</Size 4/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`
  return folder.file(
    `${objects[2]?.length}-${box.length}.pdf`,
    Buffer.from(`${text}xref\n0 4\n0000000000 65535 f \n${table.join('')}${end}`),
  )
}

const endless = '9'.repeat(400)

test.each([
  ['a horizontal hairline', '0 0 10000000 0.1', '1'],
  ['a vertical hairline', '0 0 0.1 10000000', '1'],
  ['a narrow strip', '0 0 1 100000', '1'],
  ['a huge area', '0 0 100000000 1000', '1'],
  ['far from its origin', '-99999999999 -99999999999 99999999999 -99999999990', '1'],
  ['an infinite user unit', '0 0 600 800', endless],
  ['an infinite box', `0 0 ${endless} ${endless}`, '1'],
  ['an infinite width', `0 0 ${endless} 1`, '1'],
  ['a tiny page', '0 0 0.00001 0.00001', '1'],
])('gives a page of any size a usable layout and can draw it: %s', async (_, box, unit) => {
  const file = { path: paper(box, unit), password: null }
  const answer = await program.answer({ type: 'facts', ...file })
  const [size] = answer.type === 'facts' ? answer.facts.sizes : []
  // Non-finite numbers become null in the library, and a page without a size cannot be placed in the column.
  expect(JSON.parse(JSON.stringify(size))).toEqual({
    width: expect.any(Number),
    height: expect.any(Number),
  })
  for (const width of [160, 1240])
    expect(await program.answer({ type: 'picture', ...file, page: 1, width })).toMatchObject({
      type: 'image',
    })
  for (const cut of [
    [0, 0, 1, 1],
    [0.5, 0.5, 0.500_000_1, 0.6],
  ] as const)
    expect(
      await program.answer({ type: 'crop', ...file, page: 1, box: cut, dpi: 200 }),
    ).toMatchObject({ type: 'image' })
  const parts = await program.answer({
    type: 'split',
    ...file,
    first: 1,
    last: 1,
    folder: folder.path,
    name: 'part',
    maxBytes: 10_000_000,
    raster: true,
  })
  expect(parts).toMatchObject({ type: 'parts', parts: [{ first: 1, last: 1 }] })
})

import { readFileSync, readdirSync, statSync } from 'node:fs'
import { PDFName, PDFString, type PDFRef } from '@cantoo/pdf-lib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPdf } from '../../../../../../src/main/domains/documents/worker/pdf/library.ts'
import { splitPdf } from '../../../../../../src/main/domains/documents/worker/pdf/split.ts'
import type { DocumentPart } from '../../../../../../src/main/domains/documents/worker/messages.ts'
import { buildPdf, line, namesIn, noisyJpeg, seen, sharedPdf, tempFolder } from './fixture.ts'

let folder: ReturnType<typeof tempFolder>
let out: ReturnType<typeof tempFolder>
beforeEach(() => {
  folder = tempFolder()
  out = tempFolder()
})
afterEach(() => {
  folder.remove()
  out.remove()
})

async function split(
  path: string,
  first: number,
  last: number,
  { maxBytes = 50_000_000, password = null as string | null, raster = false } = {},
): Promise<DocumentPart[]> {
  const pdf = await openPdf(path, password)
  try {
    const order = { path, password, first, last, folder: out.path, name: 'part', maxBytes, raster }
    return await splitPdf(pdf, order)
  } finally {
    await pdf.close()
  }
}

const numbers = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** Asserts that the pages of the parts equal those of the document: text, size and every pixel. */
async function expectSame(
  path: string,
  parts: readonly DocumentPart[],
  password: string | null = null,
): Promise<void> {
  for (const part of parts) {
    const pages = numbers(part.first, part.last)
    const before = await seen(path, pages, password)
    const after = await seen(
      part.path,
      pages.map((page) => page - part.first + 1),
    )
    for (const [i, page] of before.entries()) {
      expect(after[i]?.text).toBe(page.text)
      expect([after[i]?.width, after[i]?.height]).toEqual([page.width, page.height])
      expect(after[i]?.pixels.equals(page.pixels)).toBe(true)
    }
  }
}

test('excludes images of other pages from resources that all pages share', async () => {
  const bytes = await (await sharedPdf(12)).bytes()
  const path = folder.file('shared.pdf', bytes)
  const parts = [...(await split(path, 1, 4)), ...(await split(path, 5, 12))]
  expect(parts.map(({ first, last }) => [first, last])).toEqual([
    [1, 4],
    [5, 12],
  ])
  await expectSame(path, parts)
  const sum = parts.reduce((all, part) => all + part.bytes, 0)
  expect(sum).toBeLessThan(bytes.length * 1.05)
  expect(parts[0]?.bytes).toBeLessThan(bytes.length * 0.37)
  expect(parts[0]?.bytes).toBe(statSync(parts[0]?.path ?? '').size)
  expect(await namesIn(readFileSync(parts[1]?.path ?? ''), 1, 'XObject')).toEqual(['Im4'])
})

test('resolves the resources of nested forms, with and without their own', async () => {
  const pdf = await buildPdf()
  const images = await Promise.all(
    numbers(0, 3).map(async (i) => pdf.jpeg(await noisyJpeg(60, i), 60)),
  )
  const [one, two, three, four] = images
  const form = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 300, 400] }
  const font = pdf.font()
  // The innermost form has no resources: it uses those of the page.
  const inner = pdf.stream(`q 80 0 0 80 10 10 cm /Loose Do Q ${line('innermost', 20, 120)}`, form)
  const middle = pdf.stream('q 1 0 0 1 20 20 cm /Inner Do Q q 50 0 0 50 150 10 cm /Own Do Q', {
    ...form,
    Resources: { XObject: { Inner: inner, Own: two, Unused: four }, Font: { F1: font } },
  })
  const bare = pdf.stream('/Middle Do q 40 0 0 40 200 200 cm /Loose Do Q', form)
  pdf.page(`/Bare Do ${line('outermost')}`, {
    Resources: {
      XObject: { Bare: bare, Middle: middle, Loose: one, Unused: four, Inner: three },
      Font: { F1: font, F9: pdf.add({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier' }) },
    },
  })
  const path = folder.file('forms.pdf', await pdf.bytes())
  const parts = await split(path, 1, 1)
  await expectSame(path, parts)
  expect(parts[0]?.drawn).toBeNull()
  const written = readFileSync(parts[0]?.path ?? '')
  expect(await namesIn(written, 1, 'Font')).toEqual(['F1'])
  expect(await namesIn(written, 1, 'XObject')).not.toContain('Unused')
  // Two of the four images are drawn, and a third has the name of a form.
  expect(written.toString('latin1').match(/DCTDecode/g)?.length).toBeLessThanOrEqual(3)
})

test('keeps what patterns, soft masks, drawn fonts, shadings, layers and inline images use', async () => {
  const pdf = await buildPdf()
  const image = pdf.jpeg(await noisyJpeg(60, 7), 60)
  const palette = ['Indexed', 'DeviceRGB', 1, pdf.stream(Uint8Array.of(200, 0, 0, 0, 0, 200))]
  const tile = pdf.stream('q 20 0 0 20 0 0 cm /Tile Do Q', {
    PatternType: 1,
    PaintType: 1,
    TilingType: 1,
    BBox: [0, 0, 30, 30],
    XStep: 30,
    YStep: 30,
    Resources: { XObject: { Tile: image } },
  })
  const mask = pdf.stream('/Grey gs 0.5 g 0 0 150 400 re f', {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, 300, 400],
    Group: { S: 'Transparency', CS: 'DeviceGray' },
  })
  const drawnFont = pdf.add({
    Type: 'Font',
    Subtype: 'Type3',
    FontBBox: [0, 0, 1000, 1000],
    FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
    CharProcs: { a: pdf.stream('1000 0 d0 q 900 0 0 900 0 0 cm /Glyph Do Q') },
    Encoding: { Type: 'Encoding', Differences: [97, 'a'] },
    FirstChar: 97,
    LastChar: 97,
    Widths: [1000],
  })
  const shading = pdf.add({
    ShadingType: 2,
    ColorSpace: 'Named',
    Coords: [0, 0, 300, 0],
    Function: { FunctionType: 2, Domain: [0, 1], C0: [1, 0, 0], C1: [0, 0, 1], N: 1 },
  })
  const layer = pdf.add({ Type: 'OCG', Name: pdf.document.context.obj('Layer') })
  pdf.document.catalog.set(
    PDFName.of('OCProperties'),
    pdf.document.context.obj({ OCGs: [layer], D: { OFF: [layer] } }),
  )
  const content = [
    'q /Soft gs 0 1 0 rg 0 0 300 100 re f Q',
    '/Pattern cs /Tiles scn 0 100 300 80 re f',
    'q 0 180 300 40 re W n /Fade sh Q',
    'q 60 0 0 60 10 230 cm BI /W 2 /H 1 /BPC 8 /CS /Pal ID \0\x01 EI Q',
    'BT /T3 40 Tf 120 240 Td (a) Tj ET',
    '/OC /Hidden BDC 0 0 0 rg 0 0 300 400 re f EMC',
    line('over all of it'),
  ].join('\n')
  pdf.page([pdf.stream(content.slice(0, 150)), pdf.stream(content.slice(150))], {
    Resources: {
      ExtGState: {
        Soft: { SMask: { Type: 'Mask', S: 'Luminosity', G: mask } },
        Grey: { ca: 1 },
        Spare: { ca: 0.2 },
      },
      Pattern: { Tiles: tile, Spare: tile },
      Shading: { Fade: shading, Spare: shading },
      ColorSpace: { Pal: palette, Named: 'DeviceRGB', Spare: 'DeviceRGB' },
      XObject: { Glyph: image, Spare: image },
      Font: { T3: drawnFont, F1: pdf.font() },
      Properties: { Hidden: layer, Spare: layer },
    },
  })
  const path = folder.file('all.pdf', await pdf.bytes())
  const parts = await split(path, 1, 1)
  expect(parts[0]?.drawn).toBeNull()
  await expectSame(path, parts)
  const written = readFileSync(parts[0]?.path ?? '')
  for (const category of ['ExtGState', 'Pattern', 'Shading', 'ColorSpace', 'XObject', 'Properties'])
    expect(await namesIn(written, 1, category)).not.toContain('Spare')
})

test('keeps everything that ambiguous content may use', async () => {
  const pdf = await buildPdf()
  const spare = pdf.jpeg(await noisyJpeg(40, 1), 40)
  // Each row begins with its predictor: here none.
  const rows = line('said in rows').padEnd(64, ' ')
  const content = Array.from({ length: 8 }, (_, i) => `\0${rows.slice(8 * i, 8 * i + 8)}`).join('')
  pdf.page([pdf.stream(content, { DecodeParms: { Predictor: 12, Columns: 8 } })], {
    Resources: { XObject: { Spare: spare }, Font: { F1: pdf.font() } },
  })
  const path = folder.file('predicted.pdf', await pdf.bytes())
  const parts = await split(path, 1, 1)
  await expectSame(path, parts)
  expect((await seen(path, [1]))[0]?.text).toContain('said in rows')
  expect(await namesIn(readFileSync(parts[0]?.path ?? ''), 1, 'XObject')).toEqual(['Spare'])
})

test('finds names in every spelling, and across the boundary of two streams', async () => {
  const pdf = await buildPdf()
  const image = pdf.jpeg(await noisyJpeg(40, 2), 40)
  pdf.page(
    [
      pdf.stream('q 90 0 0 90 0 0 cm /B#69ld#c3#a4 Do Q q 50 0 0 50 99 99 cm /Tw'),
      pdf.stream('o Do Q'),
    ],
    {
      Resources: { XObject: { 'Bild\u00c3\u00a4': image, Two: image, Three: image } },
    },
  )
  const path = folder.file('names.pdf', await pdf.bytes())
  const parts = await split(path, 1, 1)
  await expectSame(path, parts)
  const names = await namesIn(readFileSync(parts[0]?.path ?? ''), 1, 'XObject')
  expect(names).toHaveLength(2)
  expect(names).not.toContain('Three')
})

test('preserves rotated and cropped pages, and those in other units', async () => {
  const pdf = await buildPdf()
  const resources = { Font: { F1: pdf.font() } }
  pdf.page(line('turned'), { Resources: resources, Rotate: 90 })
  pdf.page(line('cropped'), { Resources: resources, Rotate: 0, CropBox: [20, 30, 220, 380] })
  pdf.page(line('scaled'), { Resources: resources, Rotate: 0, UserUnit: 2 })
  pdf.inherit({ Rotate: 270 })
  pdf.page(line('turned from above'), { Resources: resources })
  const path = folder.file('boxes.pdf', await pdf.bytes())
  const parts = await split(path, 1, 4)
  await expectSame(path, parts)
  const drawn = await split(path, 1, 4, { raster: true })
  const after = await seen(drawn[0]?.path ?? '', [1, 2, 3, 4])
  expect(after.map(({ width, height }) => [width, height])).toEqual([
    [400, 300],
    [200, 350],
    [600, 800],
    [400, 300],
  ])
})

test.each([
  ['AES-256', false],
  ['AES-128', true],
  ['RC4-128', true],
] as const)(
  'decrypts locked files (%s), including palettes in strings',
  async (algorithm, weak) => {
    for (const objectStreams of [false, true])
      for (const passwords of [
        { ownerPassword: 'owner' },
        { userPassword: 'user', ownerPassword: 'o' },
      ]) {
        const pdf = await sharedPdf(3, 40)
        const palette = pdf.add(['Indexed', 'DeviceRGB', 1, PDFString.of('()\\\\(\\))')])
        pdf.page('q 90 0 0 90 9 9 cm BI /W 2 /H 1 /BPC 8 /CS /Pal ID \0\x01 EI Q', {
          Resources: { ColorSpace: { Pal: palette } },
        })
        const secured = pdf.document
        secured.encrypt({ ...passwords, algorithm, allowWeakCryptography: weak })
        const path = folder.file('locked.pdf', await pdf.bytes({ objectStreams }))
        const password = 'userPassword' in passwords ? passwords.userPassword : null
        const parts = await split(path, 2, 4, { password })
        expect(parts[0]?.drawn).toBeNull()
        await expectSame(path, parts, password)
      }
  },
)

test('halves parts over the limit, and draws a single page that is too large', async () => {
  const pdf = await sharedPdf(5, 120)
  const big = pdf.jpeg(await noisyJpeg(600, 99), 600)
  pdf.page('q 50 0 0 50 0 0 cm /Big Do Q', { Resources: { XObject: { Big: big } } })
  const path = folder.file('big.pdf', await pdf.bytes())
  const whole = await split(path, 1, 6)
  expect(whole).toHaveLength(1)
  const maxBytes = 60_000
  const parts = await split(path, 1, 6, { maxBytes })
  expect(parts.length).toBeGreaterThan(2)
  expect(parts.flatMap(({ first, last }) => numbers(first, last))).toEqual([1, 2, 3, 4, 5, 6])
  for (const part of parts) expect(part.bytes).toBeLessThanOrEqual(maxBytes)
  expect(parts.at(-1)).toMatchObject({ first: 6, last: 6, mime: 'application/pdf' })
  expect(parts.at(-1)?.drawn?.dpi).toBeGreaterThanOrEqual(100)
  expect(parts.slice(0, -1).every(({ drawn }) => drawn === null)).toBe(true)
  await expectSame(path, parts.slice(0, -1))
  expect((await seen(parts.at(-1)?.path ?? '', [1]))[0]?.width).toBe(300)
})

test('draws a file whose pages two readers count differently', async () => {
  const pdf = await sharedPdf(3, 40)
  pdf.inherit({ Count: 2 })
  const bytes = Buffer.from(await pdf.bytes({ objectStreams: false })).toString('latin1')
  const path = folder.file(
    'count.pdf',
    Buffer.from(bytes.replace('/Count 3', '/Count 2'), 'latin1'),
  )
  const parts = await split(path, 1, 2)
  expect(parts[0]?.drawn).toEqual({ dpi: 200, quality: 85 })
  const [before] = await seen(path, [1])
  const [after] = await seen(parts[0]?.path ?? '', [1])
  // Drawn at 200 dpi and compared at 72, noise is gray; the surrounding paper is white in both.
  expect(after?.pixels.subarray(0, 1200)).toEqual(before?.pixels.subarray(0, 1200))
})

test('leaves nothing behind after a failed split, and refuses invalid pages', async () => {
  const path = folder.file('shared.pdf', await (await sharedPdf(4, 120)).bytes())
  await expect(split(path, 1, 4, { maxBytes: 900 })).rejects.toMatchObject({
    code: 'FILE_TOO_LARGE',
  })
  await expect(split(path, 3, 5)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(split(path, 0, 1)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(split(path, 3, 2)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(readdirSync(out.path)).toEqual([])
})

test('omits links, outlines and private data', async () => {
  const pdf = await sharedPdf(2, 40)
  const note = pdf.add({ Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9], Marker: 'LeftBehind' })
  pdf.page(line('with a note'), {
    Annots: [note],
    PieceInfo: { Marker: 'LeftBehind' },
    Resources: { Font: { F1: pdf.font() } },
  })
  const path = folder.file('note.pdf', await pdf.bytes())
  const parts = await split(path, 3, 3)
  expect(readFileSync(parts[0]?.path ?? '', 'latin1')).not.toContain('LeftBehind')
  await expectSame(path, parts)
})

test('includes the appearance of stamps and filled fields', async () => {
  const pdf = await buildPdf()
  const form = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 100, 50] }
  const font = pdf.font()
  const appearance = (content: string): PDFRef =>
    pdf.stream(content, { ...form, Resources: { Font: { F1: font } } })
  const filled = appearance(`0.8 1 0.8 rg 0 0 100 50 re f ${line('Filled in', 10, 20)}`)
  const ticked = appearance('0 0 1 rg 0 0 100 50 re f')
  const marker = { Marker: 'LeftBehind' }
  const annotation = (entries: Record<string, unknown>): PDFRef =>
    pdf.add({ Type: 'Annot', F: 4, ...entries })
  const parent = pdf.add({ FT: 'Btn', ...marker })
  pdf.page(line('a form'), {
    Resources: { Font: { F1: font } },
    Rotate: 90,
    Annots: [
      annotation({
        Subtype: 'Stamp',
        Rect: [20, 20, 120, 70],
        AP: { N: appearance('1 0 0 rg 0 0 100 50 re f') },
      }),
      annotation({ Subtype: 'Widget', FT: 'Tx', Rect: [20, 100, 220, 200], AP: { N: filled } }),
      annotation({
        Subtype: 'Widget',
        Parent: parent,
        Rect: [150, 20, 200, 70],
        AS: 'Yes',
        AP: { N: { Yes: ticked, Off: appearance('/LeftBehind gs') } },
      }),
      annotation({ Subtype: 'Square', F: 2, Rect: [0, 0, 300, 400], AP: { N: ticked } }),
      annotation({ Subtype: 'Link', Rect: [0, 0, 9, 9], ...marker }),
      annotation({ Subtype: 'FreeText', Rect: [0, 0, 9, 9] }),
      annotation({ Subtype: 'Stamp', Rect: [0, 0], AP: { N: ticked } }),
    ],
  })
  const path = folder.file('form.pdf', await pdf.bytes())
  const parts = await split(path, 1, 1)
  expect(parts[0]?.drawn).toBeNull()
  await expectSame(path, parts)
  const [page] = await seen(parts[0]?.path ?? '', [1])
  const colours = new Set<string>()
  const pixels = page?.pixels ?? Buffer.alloc(0)
  for (let i = 0; i < pixels.length; i += 4) colours.add(pixels.subarray(i, i + 3).toString('hex'))
  for (const colour of ['ff0000', '0000ff', 'ccffcc']) expect(colours).toContain(colour)
  const written = readFileSync(parts[0]?.path ?? '', 'latin1')
  expect(written).not.toContain('LeftBehind')
  expect(written.match(/\/Subtype\/Stamp/g)).toHaveLength(3)
})

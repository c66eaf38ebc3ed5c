import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type PageToPlace,
  placeBoxes,
  type PlacedReply,
} from '../../../../../../src/main/domains/documents/worker/reading/coordinates.ts'
import type { Box } from '../../../../../../src/shared/model/document.ts'

type Raw = readonly [number, number, number, number]

const letter = { width: 612, height: 792 }
/** Letter at 240 dpi. */
const raster = { width: 2040, height: 2640 }

const block = (bbox: Raw | null, width: number | null = null, height: number | null = null) => ({
  bbox,
  width,
  height,
})
const page = (boxes: readonly (Raw | null)[], more: Partial<PageToPlace> = {}): PageToPlace => ({
  reportedSize: raster,
  inspected: letter,
  blocks: boxes.map((box) => block(box)),
  ...more,
})
const boxesOf = ({ pages }: PlacedReply): (readonly (number | undefined)[] | null)[] =>
  pages.flatMap(({ boxes }) =>
    boxes.map(({ box }) => box && box.map((part) => Number(part.toFixed(4)))),
  )
const guesses = ({ pages }: PlacedReply): boolean[] =>
  pages.flatMap(({ boxes }) => boxes.map(({ guessed }) => guessed))

describe('the three coordinate units', () => {
  test('fractions', () => {
    const read = placeBoxes([
      page([
        [0.1, 0.1, 0.5, 0.3],
        [0, 0, 1, 1],
      ]),
    ])
    expect(read).toMatchObject({ regime: 'fractions', guessed: false })
    expect(boxesOf(read)).toEqual([
      [0.1, 0.1, 0.5, 0.3],
      [0, 0, 1, 1],
    ])
    expect(read.pages[0]?.raster).toEqual(raster)
    expect(guesses(read)).toEqual([false, false])
  })

  test("pixels of the provider's image", () => {
    const read = placeBoxes([page([[431, 1762, 1061, 2189]])])
    expect(read).toMatchObject({ regime: 'pixels', guessed: false })
    expect(boxesOf(read)).toEqual([[0.2113, 0.6674, 0.5201, 0.8292]])
    expect(read.pages[0]?.boxes[0]?.raw).toEqual([431, 1762, 1061, 2189])
    expect(guesses(read)).toEqual([false])
  })

  test('thousandths', () => {
    const read = placeBoxes([
      page([
        [100, 80, 900, 120],
        [100, 150, 900, 940],
      ]),
      page([[100, 90, 880, 910]]),
    ])
    expect(read).toMatchObject({ regime: 'thousandths', guessed: false })
    expect(boxesOf(read)[2]).toEqual([0.1, 0.09, 0.88, 0.91])
    expect(guesses(read)).toEqual([false, false, false])
  })

  test('thousandths of an image smaller than 1000 pixels', () => {
    const small = { reportedSize: { width: 612, height: 792 } }
    const read = placeBoxes([page([[60, 50, 930, 700]], small)])
    expect(read).toMatchObject({ regime: 'thousandths', guessed: false })
    expect(boxesOf(read)).toEqual([[0.06, 0.05, 0.93, 0.7]])
  })

  test('pixels of an image smaller than 1000 pixels', () => {
    const photo = {
      reportedSize: { width: 800, height: 600 },
      inspected: { width: 800, height: 600 },
    }
    const read = placeBoxes([page([[40, 60, 760, 570]], photo)])
    expect(read).toMatchObject({ regime: 'pixels', guessed: false })
    expect(boxesOf(read)).toEqual([[0.05, 0.1, 0.95, 0.95]])
  })

  test('no box at all', () => {
    expect(placeBoxes([page([null])])).toMatchObject({ regime: 'none', guessed: false })
    expect(placeBoxes([])).toEqual({ regime: 'none', guessed: false, pages: [] })
  })
})

describe('reports ambiguous units', () => {
  test('when a single page could be pixels or thousandths', () => {
    const tall = placeBoxes([page([[100, 80, 900, 940]])])
    expect(tall).toMatchObject({ regime: 'thousandths', guessed: true })
    expect(guesses(tall)).toEqual([true])
    const corner = placeBoxes([page([[100, 80, 400, 120]])])
    expect(corner).toMatchObject({ regime: 'pixels', guessed: true })
    // Lines at the top of two pages: nothing shows that a page ends at a thousand.
    const short = page([[138, 520, 727, 564]], { reportedSize: { width: 1112, height: 1667 } })
    expect(placeBoxes([short, short])).toMatchObject({ regime: 'pixels', guessed: true })
  })

  test('unless earlier responses of the provider resolve them', () => {
    const sparse = [page([[100, 80, 400, 120]])]
    expect(placeBoxes(sparse, 'thousandths')).toMatchObject({
      regime: 'thousandths',
      guessed: false,
    })
    // Unambiguous numbers are not overruled.
    expect(placeBoxes([page([[431, 1762, 1061, 2189]])], 'thousandths').regime).toBe('pixels')
    expect(placeBoxes(sparse, 'fractions')).toMatchObject({ regime: 'pixels', guessed: true })
  })

  test('when boxes use both units, and the majority decides for all', () => {
    const read = placeBoxes([
      page([
        [0.1, 0.1, 0.5, 0.3],
        [0.1, 0.4, 0.5, 0.6],
        [431, 1762, 1061, 2189],
      ]),
    ])
    expect(read).toMatchObject({ regime: 'fractions', guessed: true })
    expect(boxesOf(read)[2]).toBeNull()
    const other = placeBoxes([
      page([
        [0.1, 0.1, 0.5, 0.3],
        [200, 300, 1800, 500],
        [431, 1762, 1061, 2189],
      ]),
    ])
    expect(other).toMatchObject({ regime: 'pixels', guessed: false })
    expect(boxesOf(other)[0]).toBeNull()
    expect(other.pages[0]?.boxes[0]?.raw).toEqual([0.1, 0.1, 0.5, 0.3])
  })
})

describe('the size of the image', () => {
  test('is that of the blocks when the response has none for pages', () => {
    const blocks = [block([431, 1762, 1061, 2189], 2040, 2640), block([200, 300, 1840, 500])]
    const read = placeBoxes([page([], { reportedSize: null, blocks })])
    expect(read.pages[0]?.raster).toEqual(raster)
    expect(boxesOf(read)[0]).toEqual([0.2113, 0.6674, 0.5201, 0.8292])
    expect(guesses(read)).toEqual([false, false])
  })

  test("is not a block's own", () => {
    const blocks = [block([431, 1762, 1061, 2389], 630, 627)]
    const read = placeBoxes([page([], { reportedSize: null, blocks })])
    expect(read.pages[0]?.raster).toBeNull()
    expect(guesses(read)).toEqual([true])
    // 240 dpi is the lowest common resolution of a Letter page that contains the box.
    expect(boxesOf(read)).toEqual([[0.2113, 0.6674, 0.5201, 0.9049]])
  })

  test('is derived from the blocks when most boxes are outside of the reported page', () => {
    const blocks = [block([431, 1762, 1061, 2189], 2040, 2640)]
    const read = placeBoxes([page([], { reportedSize: letter, blocks })])
    expect(read).toMatchObject({ regime: 'pixels', guessed: false })
    expect(boxesOf(read)).toEqual([[0.2113, 0.6674, 0.5201, 0.8292]])
  })

  test('is scaled as on other pages where a page has none', () => {
    const read = placeBoxes([
      page([[431, 1762, 1061, 2189]]),
      page([[204, 264, 1020, 1320]], { reportedSize: { width: 0, height: 0 } }),
    ])
    expect(boxesOf(read)[1]).toEqual([0.1, 0.1, 0.5, 0.5])
    expect(guesses(read)).toEqual([false, true])
    expect(read.pages[1]?.raster).toBeNull()
  })

  test("is the image's own for a photo", () => {
    const photo = { reportedSize: null, inspected: { width: 4000, height: 3000 } }
    const read = placeBoxes([page([[400, 300, 3600, 2700]], photo)])
    expect(boxesOf(read)).toEqual([[0.1, 0.1, 0.9, 0.9]])
    expect(guesses(read)).toEqual([true])
  })

  test('is not needed for fractions and thousandths', () => {
    const none = { reportedSize: null, inspected: null }
    expect(boxesOf(placeBoxes([page([[0.1, 0.2, 0.3, 0.4]], none)]))).toEqual([
      [0.1, 0.2, 0.3, 0.4],
    ])
    const read = placeBoxes([page([[100, 200, 900, 950]], none)])
    expect(read).toMatchObject({ regime: 'thousandths', guessed: true })
    expect(boxesOf(read)).toEqual([[0.1, 0.2, 0.9, 0.95]])
  })
})

describe('rotated and cropped pages', () => {
  const wide = { width: 792, height: 612 }
  const upright: Raw = [204, 264, 612, 1320]

  test('are left as displayed when the provider rotated its image', () => {
    const read = placeBoxes([
      page([[264, 204, 1320, 612]], {
        reportedSize: { width: 2640, height: 2040 },
        inspected: { ...wide, rotation: 90 },
      }),
    ])
    expect(boxesOf(read)).toEqual([[0.1, 0.1, 0.5, 0.3]])
    expect(guesses(read)).toEqual([false])
  })

  test.each<[number, Box]>([
    [90, [0.5, 0.1, 0.9, 0.3]],
    [270, [0.1, 0.7, 0.5, 0.9]],
    [-90, [0.1, 0.7, 0.5, 0.9]],
  ])('are rotated by %d degrees when the provider did not', (rotation, box) => {
    const read = placeBoxes([page([upright], { inspected: { ...wide, rotation } })])
    expect(boxesOf(read)).toEqual([box])
    expect(guesses(read)).toEqual([false])
    expect(read.pages[0]?.raster).toEqual(raster)
  })

  test('are rotated clockwise as a guess when the direction is unknown', () => {
    const read = placeBoxes([page([upright], { inspected: wide })])
    expect(boxesOf(read)).toEqual([[0.5, 0.1, 0.9, 0.3]])
    expect(guesses(read)).toEqual([true])
  })

  test('also in fractions and thousandths', () => {
    const inspected = { ...wide, rotation: 90 }
    expect(boxesOf(placeBoxes([page([[0.1, 0.1, 0.3, 0.5]], { inspected })]))).toEqual([
      [0.5, 0.1, 0.9, 0.3],
    ])
  })

  test('marks boxes as guesses when the image matches neither orientation', () => {
    const cropped = { inspected: { width: 400, height: 792 } }
    const read = placeBoxes([page([[431, 1762, 1061, 2189]], cropped), page([[1, 2, 1500, 9]])])
    expect(guesses(read)).toEqual([true, false])
  })

  test('treats less than two percent as rounding', () => {
    const rounded = { reportedSize: { width: 2056, height: 2640 } }
    expect(guesses(placeBoxes([page([[431, 1762, 1061, 2189]], rounded)]))).toEqual([false])
  })
})

describe('hostile numbers', () => {
  test('orders corners, keeps edges, drops boxes without an area', () => {
    const read = placeBoxes([
      page([
        [1061, 2189, 431, 1762],
        [-20, -30, 2060, 2660],
        [-900, 100, 5000, 400],
        [500, 500, 500, 900],
        [2040, 100, 2040, 300],
        [-500, -500, -10, -10],
      ]),
    ])
    expect(read.regime).toBe('pixels')
    expect(boxesOf(read)).toEqual([
      [0.2113, 0.6674, 0.5201, 0.8292],
      [0, 0, 1, 1],
      [0, 0.0379, 1, 0.1515],
      null,
      null,
      null,
    ])
    expect(guesses(read).slice(0, 3)).toEqual([false, false, true])
    expect(read.pages[0]?.boxes[3]?.raw).toEqual([500, 500, 500, 900])
  })

  test('ignores a single infinite or absurd number', () => {
    const read = placeBoxes([
      page([
        [0.1, 0.1, 0.5, 0.3],
        [0.1, 0.4, 0.5, 0.6],
        [1e300, 0, 1e308, 1],
        [NaN, 0, 1, 1],
        [0, 0, Infinity, 1],
      ]),
    ])
    expect(read).toMatchObject({ regime: 'fractions', guessed: false })
    expect(boxesOf(read)).toEqual([[0.1, 0.1, 0.5, 0.3], [0.1, 0.4, 0.5, 0.6], null, null, null])
    expect(read.pages[0]?.boxes.map(({ raw }) => raw !== null)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  test('does not scale by one box far outside of an image without a reported size', () => {
    const read = placeBoxes([
      page(
        [
          [431, 1762, 1061, 2389],
          [0, 0, 1e9, 1e9],
        ],
        { reportedSize: null },
      ),
    ])
    expect(boxesOf(read)[0]).toEqual([0.2113, 0.6674, 0.5201, 0.9049])
  })

  const number = fc.oneof(
    fc.double(),
    fc.constantFrom(
      NaN,
      Infinity,
      -Infinity,
      0,
      -0,
      1,
      -1,
      1000,
      Number.MAX_VALUE,
      Number.MIN_VALUE,
    ),
    fc.integer({ min: -3000, max: 3000 }),
    fc.double({ min: 0, max: 1 }),
  )
  const size = fc.option(fc.record({ width: number, height: number }))
  const anyPage = fc.record({
    reportedSize: size,
    inspected: fc.option(fc.record({ width: number, height: number, rotation: number })),
    blocks: fc.array(
      fc.record({
        bbox: fc.option(fc.tuple(number, number, number, number)),
        width: fc.option(number),
        height: fc.option(number),
      }),
      { maxLength: 6 },
    ),
  })

  test('returns boxes with an area on their page and finite raw numbers for any input', () => {
    fc.assert(
      fc.property(fc.array(anyPage, { maxLength: 4 }), (pages) => {
        const read = placeBoxes(pages)
        expect(read.pages.map(({ boxes }) => boxes.length)).toEqual(
          pages.map(({ blocks }) => blocks.length),
        )
        for (const { box, raw } of read.pages.flatMap(({ boxes }) => boxes)) {
          if (raw) expect(raw.every(Number.isFinite)).toBe(true)
          if (!box) continue
          const [left, top, right, bottom] = box
          expect(left).toBeGreaterThanOrEqual(0)
          expect(top).toBeGreaterThanOrEqual(0)
          expect(right).toBeLessThanOrEqual(1)
          expect(bottom).toBeLessThanOrEqual(1)
          expect(left).toBeLessThan(right)
          expect(top).toBeLessThan(bottom)
        }
      }),
    )
  })
})

test('restores the boxes with which a page was drawn, in any unit', () => {
  const part = fc.integer({ min: 20, max: 900 })
  const lengths = fc.integer({ min: 10, max: 30 })
  // A page of text fills most of its area, within its margins.
  const drawn = fc
    .array(fc.tuple(part, part, lengths, lengths), { minLength: 1, maxLength: 12 })
    .map((boxes) => [
      [60, 50, 940, 80] as const,
      [60, 900, 930, 950] as const,
      ...boxes.map(([x, y, w, h]) => [x, y, x + w, y + h] as const),
    ])
  const sizes = fc.constantFrom(letter, { width: 595, height: 842 }, { width: 842, height: 595 })
  const units = fc.constantFrom('fractions', 'pixels', 'thousandths')
  fc.assert(
    fc.property(
      fc.array(drawn, { minLength: 2, maxLength: 5 }),
      sizes,
      units,
      fc.constantFrom(144, 200, 240),
      (pages, inspected, unit, dpi) => {
        const image = {
          width: Math.round((inspected.width * dpi) / 72),
          height: Math.round((inspected.height * dpi) / 72),
        }
        const across = { fractions: 1, pixels: image.width, thousandths: 1000 }[unit]
        const down = { fractions: 1, pixels: image.height, thousandths: 1000 }[unit]
        const read = placeBoxes(
          pages.map((boxes) => ({
            reportedSize: image,
            inspected,
            blocks: boxes.map(([x1, y1, x2, y2]) =>
              block([
                (x1 / 1000) * across,
                (y1 / 1000) * down,
                (x2 / 1000) * across,
                (y2 / 1000) * down,
              ]),
            ),
          })),
        )
        expect(read).toMatchObject({ regime: unit, guessed: false })
        for (const [at, boxes] of pages.entries())
          for (const [place, drawnBox] of boxes.entries())
            for (const [side, value] of drawnBox.entries())
              expect(read.pages[at]?.boxes[place]?.box?.[side]).toBeCloseTo(value / 1000, 6)
      },
    ),
  )
})

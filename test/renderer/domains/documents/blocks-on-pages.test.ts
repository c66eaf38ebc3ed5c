import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Block, Box } from '../../../../src/shared/model/document.ts'
import { createBoxGrid } from '../../../../src/renderer/src/domains/documents/pages/use-block-pointer.ts'
import { createLights } from '../../../../src/renderer/src/domains/documents/pages/block-highlights.ts'
import { nextBlock } from '../../../../src/renderer/src/domains/documents/pages/reading-order.ts'
import type { Turn } from '../../../../src/renderer/src/domains/documents/pages/page-source.ts'
import {
  nextTurn,
  plainPoint,
  turnedBox,
} from '../../../../src/renderer/src/domains/documents/pages/rotated-box.ts'

const fraction = fc.double({ min: 0, max: 1, noNaN: true })
const box = fc
  .tuple(fraction, fraction, fraction, fraction)
  .map(([a, b, c, d]): Box => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)])
const turns = fc.constantFrom<Turn[]>(0, 90, 180, 270)

function block(page: number, order: number, id = `${page}.${order}`): Block {
  return {
    id,
    page,
    order,
    kind: 'text',
    label: 'text',
    nativeLabel: null,
    content: '',
    edited: null,
    box: null,
    raw: null,
    guessed: false,
  }
}

describe('block at a point', () => {
  test('returns the smallest block that contains the point, not the first', () => {
    const grid = createBoxGrid([
      { id: 'page', box: [0, 0, 1, 1] },
      { id: 'cell', box: [0.4, 0.4, 0.5, 0.5] },
      { id: 'table', box: [0.2, 0.2, 0.8, 0.8] },
      { id: 'nowhere', box: null },
    ])
    expect(grid.at(0.45, 0.45)).toBe('cell')
    expect(grid.at(0.3, 0.3)).toBe('table')
    expect(grid.at(0.05, 0.95)).toBe('page')
    expect(createBoxGrid([]).at(0.5, 0.5)).toBeNull()
  })

  test('finds the same block as a scan of every box', () => {
    fc.assert(
      fc.property(fc.array(box, { maxLength: 40 }), fraction, fraction, (boxes, x, y) => {
        const all = boxes.map((one, index) => ({ id: String(index), box: one }))
        const holding = all.filter(
          ({ box: [left, top, right, bottom] }) =>
            left <= x && x <= right && top <= y && y <= bottom,
        )
        const area = ([left, top, right, bottom]: Box): number => (right - left) * (bottom - top)
        const smallest = Math.min(...holding.map((one) => area(one.box)))
        const found = createBoxGrid(all).at(x, y)
        const expected = holding.filter((one) => area(one.box) === smallest).at(-1)?.id ?? null
        expect(found).toBe(expected)
      }),
    )
  })
})

test('maps the boxes of a rotated page to the rotated point', () => {
  fc.assert(
    fc.property(box, turns, (plain, turn) => {
      const [left, top, right, bottom] = turnedBox(plain, turn)
      const [x, y] = plainPoint((left + right) / 2, (top + bottom) / 2, turn)
      expect(x).toBeCloseTo((plain[0] + plain[2]) / 2, 9)
      expect(y).toBeCloseTo((plain[1] + plain[3]) / 2, 9)
      expect(right).toBeGreaterThanOrEqual(left)
      expect(bottom).toBeGreaterThanOrEqual(top)
    }),
  )
  // The top left corner of a page rotated clockwise is at its top right.
  expect(turnedBox([0, 0, 0.1, 0.2], 90)).toEqual([0.8, 0, 1, 0.1])
  expect(nextTurn(270, true)).toBe(0)
  expect(nextTurn(0, false)).toBe(270)
})

describe('next block in reading order', () => {
  const pages = new Map([
    [2, [block(2, 0), block(2, 1)]],
    [5, [block(5, 0), block(5, 1)]],
  ])
  const of = (page: number): readonly Block[] => pages.get(page) ?? []
  const next = (from: Block | null, page: number, direction: 1 | -1): string | null =>
    nextBlock(of, 6, from, page, direction)?.id ?? null

  test('skips pages without blocks in both directions', () => {
    expect(next(block(2, 0), 2, 1)).toBe('2.1')
    expect(next(block(2, 1), 2, 1)).toBe('5.0')
    expect(next(block(5, 0), 5, -1)).toBe('2.1')
    expect(next(block(5, 1), 5, 1)).toBeNull()
    expect(next(block(2, 0), 2, -1)).toBeNull()
  })

  test('starts on the visible page, or at the next one with blocks', () => {
    expect(next(null, 2, 1)).toBe('2.0')
    expect(next(null, 3, 1)).toBe('5.0')
    expect(next(null, 3, -1)).toBe('2.1')
  })

  test('continues correctly if the current block no longer exists', () => {
    expect(next(block(2, 9, 'gone'), 2, 1)).toBe('2.0')
    expect(next(block(2, 9, 'gone'), 2, -1)).toBe('2.1')
  })
})

describe('highlights', () => {
  const element = () => {
    const names = new Set<string>()
    let touched = 0
    const classList = {
      add: (name: string) => void (touched++, names.add(name)),
      remove: (name: string) => void (touched++, names.delete(name)),
      toggle: (name: string, on: boolean) => void (on ? names.add(name) : names.delete(name)),
    }
    return {
      names,
      touched: () => touched,
      element: { classList } as unknown as HTMLElement,
    }
  }

  test('changes two elements when the pointer moves from one block to another', () => {
    const lights = createLights()
    const made = ['a', 'b', 'c'].map((id) => {
      const one = element()
      lights.element(id, one.element)
      return one
    })
    lights.light('a')
    lights.light('b')
    lights.light('b')
    expect(made.map(({ names }) => [...names])).toEqual([[], ['lit'], []])
    expect(made.map(({ touched }) => touched())).toEqual([2, 1, 0])
  })

  test('waits for a block whose page is not rendered yet', () => {
    const lights = createLights()
    lights.choose('later')
    const one = element()
    lights.element('later', one.element)
    expect([...one.names]).toEqual(['chosen'])
    lights.element('later', null)
    lights.choose(null)
    expect(lights.chosen).toBeNull()
  })
})

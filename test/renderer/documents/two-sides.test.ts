import { expect, test } from 'vitest'
import { nextTick, shallowRef } from 'vue'
import type { Block } from '../../../src/shared/model/document.ts'
import type { TextPlace } from '../../../src/renderer/src/features/documents/blocks/use-text-pane.ts'
import { useTwoSides } from '../../../src/renderer/src/features/documents/use-two-sides.ts'

/** Both sides by what they are told: `text page 3`, `pages 3`. */
function desk(apart: TextPlace | null = null) {
  const told: string[] = []
  const column = {
    goTo: (page: number) => void told.push(`pages ${page}`),
    chooseBlock: (block: Block | null) => void told.push(`pages choose ${block?.id ?? 'none'}`),
  }
  const text = {
    goTo: (page: number, block: string | null = null) =>
      void told.push(`text page ${page}${block === null ? '' : ` ${block}`}`),
    alignTo: (page: number, block: string) => void told.push(`text align ${page} ${block}`),
    firstVisible: () => ({ blockId: 'seen', page: 5, fraction: 0.25 }),
    chooseBlock: (block: Block | null) => void told.push(`text choose ${block?.id ?? 'none'}`),
  }
  const block = { id: 'b', page: 116, box: [0, 0.1, 1, 1] } as unknown as Block
  const drawn = shallowRef<typeof text | null>(null)
  const kept: (TextPlace | null)[] = []
  const sides = useTwoSides({
    column: shallowRef(column),
    text: drawn,
    blocks: () => [block],
    keepPlace: () => {},
    openOutside: () => {},
    apart,
    keepApart: (place) => void kept.push(place),
  })
  drawn.value = text
  return { sides, told, block, kept }
}
const place = { page: 116, offset: 0.9, zoom: null }

test('a page asked for by its number stands in the text, also where the pages cannot scroll that far', () => {
  const { sides, told } = desk()
  sides.goPage(117)
  // The column is at its end: the page before is still at its upper edge.
  sides.onColumnPlace(place)
  expect(told).toEqual(['pages 117', 'text page 117'])
})

test('who scrolls on after that is followed again', () => {
  const { sides, told } = desk()
  sides.goPage(117)
  sides.onColumnPlace(place)
  sides.onColumnPlace({ ...place, offset: 0.5 })
  expect(told.at(-1)).toBe('text align 116 b')
})

test('a block that is shown stays in view in the text: the height of its page does not move the text on', () => {
  const { sides, told, block } = desk()
  sides.showBlock(block)
  sides.onColumnPlace(place)
  expect(told).toEqual(['pages choose b', 'text choose b', 'text page 116 b'])
})

test('the upper edge of a page is the head of the page in the text, not its first block', () => {
  const { sides, told } = desk()
  sides.onColumnPlace({ ...place, offset: 0.02 })
  sides.onColumnPlace({ ...place, offset: 0.2 })
  expect(told).toEqual(['text page 116', 'text align 116 b'])
})

test('a text that does not follow the pages is found where it was left', async () => {
  const first = desk()
  first.sides.locked.value = false
  await nextTick()
  first.sides.onTextPlace({ blockId: 'b', page: 116, fraction: 0.5 })
  expect(first.kept).toEqual([
    { blockId: 'seen', page: 5, fraction: 0.25 },
    { blockId: 'b', page: 116, fraction: 0.5 },
  ])
  const { sides, told, kept } = desk({ blockId: 'b', page: 116, fraction: 0.5 })
  await nextTick()
  expect(sides.locked.value).toBe(false)
  sides.onColumnPlace({ ...place, offset: 0.2 })
  expect(told).toEqual(['text align 116 b'])
  sides.locked.value = true
  await nextTick()
  expect(kept).toEqual([null])
})

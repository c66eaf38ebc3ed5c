import { expect, test } from 'vitest'
import { nextTick, shallowRef } from 'vue'
import type { Block } from '../../../../src/shared/model/document.ts'
import type { TextPlace } from '../../../../src/renderer/src/domains/documents/blocks/use-text-pane.ts'
import { useTwoSides } from '../../../../src/renderer/src/domains/documents/use-two-sides.ts'

/** Both sides, recorded by their calls: `text page 3`, `pages 3`. */
function setup(apart: TextPlace | null = null) {
  const reported: string[] = []
  const column = {
    goTo: (page: number) => void reported.push(`pages ${page}`),
    chooseBlock: (block: Block | null) => void reported.push(`pages choose ${block?.id ?? 'none'}`),
  }
  const text = {
    goTo: (page: number, block: string | null = null) =>
      void reported.push(`text page ${page}${block === null ? '' : ` ${block}`}`),
    alignTo: (page: number, block: string) => void reported.push(`text align ${page} ${block}`),
    firstVisible: () => ({ blockId: 'seen', page: 5, fraction: 0.25 }),
    chooseBlock: (block: Block | null) => void reported.push(`text choose ${block?.id ?? 'none'}`),
  }
  const block = { id: 'b', page: 116, box: [0, 0.1, 1, 1] } as unknown as Block
  const drawn = shallowRef<typeof text | null>(null)
  const saved: (TextPlace | null)[] = []
  const sides = useTwoSides({
    column: shallowRef(column),
    text: drawn,
    blocks: () => [block],
    keepPlace: () => {},
    openOutside: () => {},
    apart,
    keepApart: (place) => void saved.push(place),
  })
  drawn.value = text
  return { sides, reported, block, saved }
}
const place = { page: 116, offset: 0.9, zoom: null }

test('scrolls the text to a requested page, even if the pages cannot scroll that far', () => {
  const { sides, reported } = setup()
  sides.goPage(117)
  // The column is at its end: the previous page is still at its top edge.
  sides.onColumnPlace(place)
  expect(reported).toEqual(['pages 117', 'text page 117'])
})

test('follows the user again who scrolls afterwards', () => {
  const { sides, reported } = setup()
  sides.goPage(117)
  sides.onColumnPlace(place)
  sides.onColumnPlace({ ...place, offset: 0.5 })
  expect(reported.at(-1)).toBe('text align 116 b')
})

test('keeps a shown block in view in the text, regardless of the height of its page', () => {
  const { sides, reported, block } = setup()
  sides.showBlock(block)
  sides.onColumnPlace(place)
  expect(reported).toEqual(['pages choose b', 'text choose b', 'text page 116 b'])
})

test('maps the top edge of a page to its header in the text, not to its first block', () => {
  const { sides, reported } = setup()
  sides.onColumnPlace({ ...place, offset: 0.02 })
  sides.onColumnPlace({ ...place, offset: 0.2 })
  expect(reported).toEqual(['text page 116', 'text align 116 b'])
})

test('restores the position of a text that does not follow the pages', async () => {
  const first = setup()
  first.sides.locked.value = false
  await nextTick()
  first.sides.onTextPlace({ blockId: 'b', page: 116, fraction: 0.5 })
  expect(first.saved).toEqual([
    { blockId: 'seen', page: 5, fraction: 0.25 },
    { blockId: 'b', page: 116, fraction: 0.5 },
  ])
  const { sides, reported, saved } = setup({ blockId: 'b', page: 116, fraction: 0.5 })
  await nextTick()
  expect(sides.locked.value).toBe(false)
  sides.onColumnPlace({ ...place, offset: 0.2 })
  expect(reported).toEqual(['text align 116 b'])
  sides.locked.value = true
  await nextTick()
  expect(saved).toEqual([null])
})

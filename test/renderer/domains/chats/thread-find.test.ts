import { nextTick } from 'vue'
import { expect, test } from 'vitest'
import {
  useFindInThread,
  type ThreadPlace,
} from '../../../../src/renderer/src/domains/chats/thread/find-in-thread.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { rendererSetup } from '../../stores.ts'

const place = (messageId: string, offset: number): ThreadPlace => ({ messageId, offset, length: 3 })
const pause = () => new Promise((resolve) => setTimeout(resolve, 30))

function search(all: readonly ThreadPlace[], currentIndex = 0) {
  const held: Record<string, number> = { m4: 4, m6: 6 }
  const queries: string[] = []
  const find = rendererSetup().run(() =>
    useFindInThread({
      places(query) {
        queries.push(query)
        return Promise.resolve({ places: all, more: false })
      },
      depthOf: (id) => held[id] ?? null,
      readingDepth: () => currentIndex,
      changes: () => 0,
    }),
  )
  return { find, queries }
}

test('counts every match, loaded or not, and starts the search below the reading position', async () => {
  const { find, queries } = search(
    [place('m1', 0), place('m4', 2), place('m4', 9), place('m6', 1)],
    4,
  )
  find.begin('bee')
  await pause()
  expect(queries).toEqual(['bee'])
  expect([find.places.value.length, find.index.value]).toEqual([4, 1])
  find.step(1)
  expect([find.current.value, find.nth.value]).toEqual([place('m4', 9), 1])
  find.step(1)
  find.step(1)
  expect(find.current.value).toEqual(place('m1', 0))
  find.step(-1)
  expect(find.current.value).toEqual(place('m6', 1))
})

test('starts a search that was opened with a message in it', async () => {
  const { find } = search([place('m1', 0), place('far', 2), place('m6', 1)])
  find.begin('bee', 'far')
  await pause()
  expect(find.current.value).toEqual(place('far', 2))
})

test('reports going to the same match again, and forgets everything when closed', async () => {
  const { find } = search([place('m4', 0)])
  find.begin('bee')
  await pause()
  const before = find.current.value
  find.step(1)
  expect(find.current.value).toEqual(before)
  expect(find.current.value).not.toBe(before)
  find.close()
  await nextTick()
  expect([find.open.value, find.places.value, find.current.value]).toEqual([false, [], null])
})

test('ignores a late result of an older query', async () => {
  const answers: ((found: { places: readonly ThreadPlace[]; more: boolean }) => void)[] = []
  const find = rendererSetup().run(() =>
    useFindInThread({
      places: () => new Promise((resolve) => answers.push(resolve)),
      depthOf: () => 0,
      readingDepth: () => 0,
      changes: () => 0,
    }),
  )
  find.begin('one')
  await pause()
  find.begin('two')
  await pause()
  answers[1]?.({ places: [place('m4', 5)], more: false })
  answers[0]?.({ places: [place('m1', 0), place('m4', 1)], more: false })
  await pause()
  expect(find.places.value).toEqual([place('m4', 5)])
})

test('forgets the matches and a failure as soon as the field is cleared', async () => {
  const { find } = search([place('m4', 0)])
  find.begin('')
  find.query.value = 'bee'
  await eventually(() => expect(find.places.value).toHaveLength(1))
  find.query.value = ''
  await nextTick()
  expect([find.places.value, find.current.value, find.searching.value]).toEqual([[], null, false])
})

import { expect, test } from 'vitest'
import { effectScope } from 'vue'
import { useItemChoice } from '../../../src/renderer/src/domains/library/entries/use-item-choice.ts'
import { useRetrieval } from '../../../src/renderer/src/domains/knowledge/retrieval/retrieval-store.ts'
import { useSlices } from '../../../src/renderer/src/domains/knowledge/slices/slices-store.ts'
import { rendererSetup } from '../stores.ts'

test('sends searches of citation requests and retrieval questions to main', async () => {
  const app = rendererSetup()
  const requests = () =>
    app.main.requests.flatMap(({ route, payload }) =>
      route === 'slices.list' || route === 'retrieval.runs'
        ? [[route, (payload as { readonly query?: string }).query]]
        : [],
    )
  app.main.answer('slices.list', () => ({ positionRequests: [], next: 'old' }))
  app.main.answer('retrieval.sets', () => ({ sets: [] }))
  app.main.answer('retrieval.runs', () => ({ runs: [], next: 'old' }))
  const slices = app.run(useSlices)
  await slices.search('report')
  await slices.more()
  const retrieval = app.run(useRetrieval)
  await retrieval.search('tide')
  await retrieval.more()
  expect(requests()).toEqual([
    ['slices.list', 'report'],
    ['slices.list', 'report'],
    ['retrieval.runs', 'tide'],
    ['retrieval.runs', 'tide'],
  ])
})

test('finds an item beyond the loaded Library page by words of its title', async () => {
  const app = rendererSetup()
  const recent = { id: 'recent', kind: 'meeting', title: 'Tide talk, yesterday' }
  const old = { id: 'old', kind: 'meeting', title: 'Talk about tides' }
  app.main.answer('library.list', () => ({ items: [recent], next: 'page 2' }))
  app.main.answer('library.search', () => ({
    hits: [{ itemId: 'old' }, { itemId: 'recent' }, { itemId: 'old' }],
    more: false,
    tookMs: 1,
  }))
  app.main.answer('library.summary', () => old)
  const scope = effectScope()
  const choice = scope.run(() => app.run(() => useItemChoice(['meeting'])))
  if (!choice) throw new Error('no scope')
  await choice.load()
  choice.query.value = 'TIDE talk'
  // The search does not wait until no local title matches.
  expect(choice.shown.value.map(({ id }) => id)).toEqual(['recent'])
  await expect.poll(() => choice.shown.value.map(({ id }) => id)).toEqual(['recent', 'old'])
  scope.stop()
})

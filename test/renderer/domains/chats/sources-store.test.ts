import { expect, test } from 'vitest'
import { useSources } from '../../../../src/renderer/src/domains/chats/sources/citation-store.ts'
import { rendererSetup } from '../../stores.ts'
import { answer } from './sources-harness/answers.ts'

const slice = {
  document_slices: [
    {
      document: { id: 'd9', name: 'New.pdf' },
      slice_info: [{ document_id: 'd9', text: 'New words', position: null }],
    },
  ],
}
const savedChunk = { requestId: 'r', nodeId: 'n', at: 1, data: slice }
const opened = () => {
  const app = rendererSetup()
  const sources = app.run(useSources)
  return { ...app, sources }
}

test('opens a source by its number and steps through its neighbors', () => {
  const { sources } = opened()
  sources.open(answer(), 2)
  expect(sources.current?.title).toBe('Lighthouse.pdf')
  sources.step(1)
  expect(sources.number).toBe(3)
  sources.step(-1)
  sources.step(-1)
  sources.step(-1)
  expect(sources.number).toBe(1)
  sources.close()
  expect([sources.message, sources.current]).toEqual([null, null])
})

test('shows what is fetched by two IDs and saves it with the message, or shows the failure', async () => {
  const { sources, main } = opened()
  sources.open(answer(), null)
  expect(await sources.fetchSlices('r', 'n')).toBe(false)
  expect(sources.failure?.code).toBe('ROUTE_NOT_FOUND')
  main.answer('chats.slices', () => answer({ slices: [savedChunk] }))
  expect(await sources.fetchSlices('r', 'n')).toBe(true)
  expect(main.requests.at(-1)).toEqual({
    route: 'chats.slices',
    payload: { messageId: 'm1', requestId: 'r', nodeId: 'n' },
  })
  expect(sources.failure).toBeNull()
  expect(sources.current).toMatchObject({ title: 'New.pdf', text: 'New words' })
})

test('ignores a late result for another message', async () => {
  const { sources, main } = opened()
  main.answer('chats.slices', () => answer({ slices: [savedChunk] }))
  sources.open(answer(), 1)
  const pending = sources.fetchSlices('r', 'n')
  sources.open(answer({ id: 'm2', steps: [] }), null)
  await pending
  expect(sources.message?.id).toBe('m2')
  expect(sources.sources).toEqual([])
})

test('follows a changing message, and closes with a removed chat', async () => {
  const { sources, main, settle } = opened()
  sources.open(answer({ steps: [] }), 1)
  expect(sources.current).toBeNull()
  await settle()
  main.app({ type: 'chat.message', message: answer() })
  expect(sources.current?.number).toBe(1)
  main.app({ type: 'chat.removed', ids: ['c1'] })
  expect(sources.message).toBeNull()
})

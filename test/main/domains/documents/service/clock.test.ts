import { expect, test } from 'vitest'
import { eventually } from '../../../../fixtures/eventually.ts'
import {
  documentSetup,
  failure,
  layoutOf,
  withImage,
  type DocumentSetup,
} from './document-setup.ts'
import { tinyPng } from './paper.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const
const year = 365 * 24 * 3_600_000

/** An image host that rejects the first request; counts its requests. */
function imageHost(setup: DocumentSetup): { requests: number } {
  const count = { requests: 0 }
  setup.remote = {
    resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    async get() {
      count.requests += 1
      const headers = new Headers({ 'content-type': 'image/png' })
      if (count.requests === 1) return { status: 503, headers, body: null }
      return { status: 200, headers, body: new Blob([tinyPng]).stream() }
    },
  }
  setup.answer = (one) => withImage(layoutOf(one), `${setup.server.url}/a/figure-1.png`)
  return count
}

test('continues waiting work after the clock was set back by a year', async () => {
  const setup = await documentSetup()
  setup.answer = (one) =>
    setup.requests.length === 1 ? failure(500, 'server_error') : layoutOf(one)
  const id = await setup.document(10)
  const version = setup.documents.parse({ id, options: all })
  await setup.quiet()
  expect(setup.states(version.id)).toBe('waiting 10')
  setup.now -= year
  await setup.restart()
  await setup.quiet()
  expect(setup.states(version.id)).toBe('returned 10')
})

test('fetches a pending image after a restart, whatever happened to the clock', async () => {
  for (const change of [0, -year]) {
    const setup = await documentSetup()
    const count = imageHost(setup)
    const id = await setup.document(2)
    const version = setup.documents.parse({ id, options: all })
    await setup.finish(version.id)
    await eventually(() => expect(count.requests).toBe(1))
    await setup.quiet()
    setup.now += change
    await setup.restart()
    await setup.quiet()
    while (setup.timers.length > 0) await setup.tick()
    expect(setup.store.documents.remoteImages(id)[0]).toMatchObject({ attempts: 2, error: null })
  }
})

import { expect, test } from 'vitest'
import { eventually } from '../../../fixtures/eventually.ts'
import {
  documentExportWorker,
  failure,
  layoutOf,
  withImage,
  type DocumentSetup,
} from './document-setup.ts'
import { tinyPng } from './paper.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const
const year = 365 * 24 * 3_600_000

/** A host of pictures that refuses the first time; how often it was asked. */
function pictures(desk: DocumentSetup): { asked: number } {
  const count = { asked: 0 }
  desk.remote = {
    resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    async get() {
      count.asked += 1
      const headers = new Headers({ 'content-type': 'image/png' })
      if (count.asked === 1) return { status: 503, headers, body: null }
      return { status: 200, headers, body: new Blob([tinyPng]).stream() }
    },
  }
  desk.answer = (one) => withImage(layoutOf(one), `${desk.server.url}/a/figure-1.png`)
  return count
}

test('what waits goes on when the clock was set back by a year', async () => {
  const desk = await documentExportWorker()
  desk.answer = (one) => (desk.asked.length === 1 ? failure(500, 'server_error') : layoutOf(one))
  const id = await desk.document(10)
  const version = desk.documents.parse({ id, options: all })
  await desk.quiet()
  expect(desk.states(version.id)).toBe('waiting 10')
  desk.now -= year
  await desk.restart()
  await desk.quiet()
  expect(desk.states(version.id)).toBe('returned 10')
})

test('a picture that waited when the app ended is fetched after a restart, whatever became of the clock', async () => {
  for (const change of [0, -year]) {
    const desk = await documentExportWorker()
    const count = pictures(desk)
    const id = await desk.document(2)
    const version = desk.documents.parse({ id, options: all })
    await desk.finish(version.id)
    await eventually(() => expect(count.asked).toBe(1))
    await desk.quiet()
    desk.now += change
    await desk.restart()
    await desk.quiet()
    while (desk.timers.length > 0) await desk.tick()
    expect(desk.store.documents.remotePictures(id)[0]).toMatchObject({ attempts: 2, error: null })
  }
})

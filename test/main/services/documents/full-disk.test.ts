import { expect, test } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
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

/** A disk without room: what the store is asked to do throws while `full.is`; `full.met` counts how often. */
function fillDisk(
  desk: DocumentSetup,
  ...methods: readonly (keyof DocumentSetup['store']['documents'])[]
): { is: boolean; met: number } {
  const full = { is: false, met: 0 }
  const { documents } = desk.store
  for (const name of methods) {
    const plain = documents[name] as (...args: unknown[]) => unknown
    Object.assign(documents, {
      [name]: (...args: unknown[]): unknown => {
        if (!full.is) return plain(...args)
        full.met += 1
        throw new AppError('DISK_FULL', 'no room')
      },
    })
  }
  return full
}

test('a failure that cannot be written down strands no part: it goes on when there is room', async () => {
  const desk = await documentExportWorker({ places: 1 })
  const full = fillDisk(desk, 'fail')
  desk.answer = (one) => {
    full.is = desk.asked.length === 1
    return desk.asked.length === 1 ? failure(500, 'server_error') : layoutOf(one)
  }
  const id = await desk.document(10)
  const version = desk.documents.parse({ id, options: all })
  await eventually(() => expect(full.met).toBeGreaterThan(0))
  full.is = false
  await eventually(() => expect(desk.documents.busy()).toBe(false))
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 10')
})

test('a part whose sending could not be told is not left behind as sent', async () => {
  const desk = await documentExportWorker({ places: 1 })
  const full = fillDisk(desk, 'pages')
  const id = await desk.document(10)
  const version = desk.documents.parse({ id, options: all })
  full.is = true
  await eventually(() => expect(full.met).toBeGreaterThan(0))
  full.is = false
  await eventually(() => expect(desk.documents.busy()).toBe(false))
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 10')
})

test('a picture that there is no room for is not asked for again and again', async () => {
  const desk = await documentExportWorker()
  let asked = 0
  desk.remote = {
    resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    async get() {
      asked += 1
      return {
        status: 200,
        headers: new Headers({ 'content-type': 'image/png' }),
        body: new Blob([tinyPng]).stream(),
      }
    },
  }
  desk.answer = (one) => withImage(layoutOf(one), `${desk.server.url}/a/figure-1.png`)
  const full = fillDisk(desk, 'putRemote')
  full.is = true
  const id = await desk.document(2)
  const version = desk.documents.parse({ id, options: all })
  await eventually(() => expect(full.met).toBeGreaterThan(0))
  await desk.quiet()
  const before = asked
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(asked).toBe(before)
  expect(asked).toBeLessThanOrEqual(2)
  full.is = false
  await desk.finish(version.id)
  while (desk.timers.length > 0) await desk.tick()
  expect(desk.store.documents.remotePictures(id)[0]?.mediaId).not.toBeNull()
})

test('a library that cannot be read while a version is planned is asked again', async () => {
  const desk = await documentExportWorker()
  const id = await desk.document(30)
  const first = desk.documents.parse({ id, options: all })
  await desk.finish(first.id)
  const full = fillDisk(desk, 'reuse', 'version')
  const second = desk.documents.parse({ id, options: all })
  full.is = true
  await eventually(() => expect(full.met).toBeGreaterThan(1))
  full.is = false
  await desk.finish(second.id)
  expect(desk.states(second.id)).toBe('returned 30')
  expect(desk.asked).toHaveLength(2)
})

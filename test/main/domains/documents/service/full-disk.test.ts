import { expect, test } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
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

/** A full disk: store operations throw while `full.is`; `full.met` counts how often. */
function fillDisk(
  setup: DocumentSetup,
  ...methods: readonly (keyof DocumentSetup['store']['documents'])[]
): { is: boolean; met: number } {
  const full = { is: false, met: 0 }
  const { documents } = setup.store
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

test('a failure that cannot be saved strands no part: it continues when there is space', async () => {
  const setup = await documentSetup({ places: 1 })
  const full = fillDisk(setup, 'fail')
  setup.answer = (one) => {
    full.is = setup.requests.length === 1
    return setup.requests.length === 1 ? failure(500, 'server_error') : layoutOf(one)
  }
  const id = await setup.document(10)
  const version = setup.documents.parse({ id, options: all })
  await eventually(() => expect(full.met).toBeGreaterThan(0))
  full.is = false
  await eventually(() => expect(setup.documents.busy()).toBe(false))
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 10')
})

test('does not leave a part marked as sent if its sending could not be reported', async () => {
  const setup = await documentSetup({ places: 1 })
  const full = fillDisk(setup, 'pages')
  const id = await setup.document(10)
  const version = setup.documents.parse({ id, options: all })
  full.is = true
  await eventually(() => expect(full.met).toBeGreaterThan(0))
  full.is = false
  await eventually(() => expect(setup.documents.busy()).toBe(false))
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 10')
})

test('does not fetch an image repeatedly while there is no space for it', async () => {
  const setup = await documentSetup()
  let requestCount = 0
  setup.remote = {
    resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    async get() {
      requestCount += 1
      return {
        status: 200,
        headers: new Headers({ 'content-type': 'image/png' }),
        body: new Blob([tinyPng]).stream(),
      }
    },
  }
  setup.answer = (one) => withImage(layoutOf(one), `${setup.server.url}/a/figure-1.png`)
  const full = fillDisk(setup, 'putRemote')
  full.is = true
  const id = await setup.document(2)
  const version = setup.documents.parse({ id, options: all })
  await eventually(() => expect(full.met).toBeGreaterThan(0))
  await setup.quiet()
  const before = requestCount
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(requestCount).toBe(before)
  expect(requestCount).toBeLessThanOrEqual(2)
  full.is = false
  await setup.finish(version.id)
  while (setup.timers.length > 0) await setup.tick()
  expect(setup.store.documents.remoteImages(id)[0]?.mediaId).not.toBeNull()
})

test('retries reading a library that fails while a version is planned', async () => {
  const setup = await documentSetup()
  const id = await setup.document(30)
  const first = setup.documents.parse({ id, options: all })
  await setup.finish(first.id)
  const full = fillDisk(setup, 'reuse', 'version')
  const second = setup.documents.parse({ id, options: all })
  full.is = true
  await eventually(() => expect(full.met).toBeGreaterThan(1))
  full.is = false
  await setup.finish(second.id)
  expect(setup.states(second.id)).toBe('returned 30')
  expect(setup.requests).toHaveLength(2)
})

import { beforeEach, expect, test, vi } from 'vitest'
import { useNotices } from '../../../src/renderer/src/features/recorder/use-notices.ts'
import { rendererSetup } from '../stores.ts'

const page = Object.assign(new EventTarget(), {
  visibilityState: 'visible',
  hasFocus: (): boolean => false,
})

beforeEach(() => {
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  return () => vi.unstubAllGlobals()
})

/** What was asked of the host after one notice, and what the browser showed itself. */
async function say(hostShows: boolean, permission = 'granted') {
  const shown: string[] = []
  class Notification extends EventTarget {
    static permission = permission
    constructor(title: string) {
      super()
      shown.push(title)
    }
  }
  vi.stubGlobal('Notification', Notification)
  vi.stubGlobal('window', Object.assign(new EventTarget(), { Notification }))
  const { main, run, settle } = rendererSetup()
  main.answer('app.notify', () => ({ shown: hostShows }))
  run(() => useNotices(() => 'm1'))('lost', { name: 'Mic' })
  await settle()
  return { notifications: main.requests.filter(({ route }) => route === 'app.notify'), shown }
}

test('somebody who looks elsewhere is told by the host, with the recording that a click opens', async () => {
  const { notifications, shown } = await say(true)
  expect(notifications.map(({ payload }) => payload)).toEqual([
    {
      id: 'capture-lost',
      title: 'capture.notices.title',
      body: 'capture.lost',
      recordingId: 'm1',
    },
  ])
  expect(shown).toEqual([])
})

test('where the host shows none, the browser does, if it may', async () => {
  expect((await say(false)).shown).toEqual(['capture.notices.title'])
  expect((await say(false, 'default')).shown).toEqual([])
})

test('nobody is told by the system about a page that is looked at', async () => {
  page.hasFocus = () => true
  expect((await say(true)).notifications).toEqual([])
})

import { beforeEach, expect, test, vi } from 'vitest'
import { useNotices } from '../../../../../src/renderer/src/domains/audio/recorder/use-notices.ts'
import { rendererSetup } from '../../../stores.ts'

const page = Object.assign(new EventTarget(), {
  visibilityState: 'visible',
  hasFocus: (): boolean => false,
})

beforeEach(() => {
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  return () => vi.unstubAllGlobals()
})

/** Returns the host requests after one notice, and the notifications of the browser itself. */
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

test('notifies through the host when the window is unfocused, with the recording to open', async () => {
  const { notifications, shown } = await say(true)
  expect(notifications.map(({ payload }) => payload)).toEqual([
    {
      id: 'capture-lost',
      title: 'capture.notices.title',
      body: 'capture.lost',
      recordingId: 'm1',
      about: 'page',
    },
  ])
  expect(shown).toEqual([])
})

test('notifies through the browser, if permitted, when the host cannot', async () => {
  expect((await say(false)).shown).toEqual(['capture.notices.title'])
  expect((await say(false, 'default')).shown).toEqual([])
})

test('sends no system notification for a page in view', async () => {
  page.hasFocus = () => true
  expect((await say(true)).notifications).toEqual([])
})

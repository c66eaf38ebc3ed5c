import { beforeEach, expect, test, vi } from 'vitest'
import { useWork } from '../../../src/renderer/src/domains/library/jobs/work-store.ts'
import { useSettings } from '../../../src/renderer/src/lib/settings-store.ts'
import { useNotifications } from '../../../src/renderer/src/shell/use-notifications.ts'
import type { Settings } from '../../../src/shared/contract/settings.ts'
import type { Work } from '../../../src/shared/model/work.ts'
import type { Meeting } from '../../../src/shared/model/meeting.ts'
import { meetingOf } from '../domains/audio/meetings/side-data.ts'
import { rendererSetup } from '../stores.ts'

const page = { visibilityState: 'visible', hasFocus: (): boolean => false }
beforeEach(() => {
  page.hasFocus = () => false
  vi.stubGlobal('document', Object.assign(new EventTarget(), page))
  return () => vi.unstubAllGlobals()
})

async function setup(settings: Partial<Settings> = {}) {
  const { main, run, settle } = rendererSetup({ settings })
  let list: readonly Work[] = []
  main.answer('app.notify', () => ({ shown: true }))
  main.answer('work.list', () => ({ work: list }))
  await run(useSettings).load()
  const work = run(useWork)
  run(useNotifications)
  await work.load()
  await settle()
  return {
    change: async (change: Partial<Meeting>): Promise<void> => {
      main.app({ type: 'meeting.changed', meeting: meetingOf(change) })
      await settle()
    },
    lists: async (next: readonly Work[]): Promise<void> => {
      list = next
      await work.load()
      await settle()
    },
    notices: () =>
      main.requests.flatMap(({ route, payload }) =>
        route === 'app.notify' ? [(payload as { title: string }).title] : [],
      ),
  }
}
const done = meetingOf().completeness
const failedWork = (id: string): Work => ({
  kind: 'meeting',
  id,
  placeId: id,
  title: id,
  accountId: 'a',
  accountName: 'A',
  state: 'failed',
  progress: null,
  error: null,
  movable: false,
  targets: null,
  bound: null,
  mayBeDone: false,
  file: null,
})

test('notifies when a recording ends, and when it is transcribed', async () => {
  const { change, notices } = await setup()
  await change({ state: 'recording', completeness: { ...done, waiting: 2 } })
  await change({ state: 'stopped', completeness: { ...done, waiting: 2 } })
  expect(notices()).toEqual(['notify.recording'])
  await change({ completeness: { ...done, waiting: 1 } })
  await change({})
  await change({})
  expect(notices()).toEqual(['notify.recording', 'notify.transcript'])
})

test('notifies of failures that are new, not of those of before or of failed transcripts as done', async () => {
  const { change, lists, notices } = await setup()
  await change({ completeness: { ...done, waiting: 1 } })
  await change({ completeness: { ...done, failed: 1 } })
  expect(notices()).toEqual([])
  await lists([failedWork('m1')])
  await lists([failedWork('m1'), failedWork('m2')])
  expect(notices()).toEqual(['notify.failed.meeting', 'notify.failed.meeting'])
  await lists([failedWork('m2')])
  expect(notices()).toHaveLength(2)
})

test.each(['notifyRecording', 'notifyTranscript', 'notifyFailure'] as const)(
  'leaves out what is switched off: %s',
  async (name) => {
    const { change, lists, notices } = await setup({ [name]: false })
    await change({ state: 'recording', completeness: { ...done, waiting: 1 } })
    await change({})
    await lists([failedWork('m1')])
    const titles = {
      notifyRecording: 'notify.recording',
      notifyTranscript: 'notify.transcript',
      notifyFailure: 'notify.failed.meeting',
    }
    expect(notices()).toEqual(
      Object.entries(titles).flatMap(([key, title]) => (key === name ? [] : [title])),
    )
  },
)

test('shows nothing to a user who sees the page', async () => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), page, { hasFocus: () => true }))
  const { change, notices } = await setup()
  await change({ state: 'recording' })
  await change({})
  expect(notices()).toEqual([])
})

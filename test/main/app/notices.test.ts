import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../fixtures/app.ts'

test('shows one notification for an event that several pages report', async () => {
  const shown: string[] = []
  let now = Date.now()
  const { app, remove } = await testApp({
    clock: () => now,
    notify: async ({ title }) => {
      shown.push(title)
      return true
    },
  })
  onTestFinished(remove)
  const notify = (page: string, title: string, about: 'app' | 'page' = 'app') =>
    app.request({ id: page, push: () => {} }, 'app.notify', {
      id: 'notifyTranscript-m1',
      title,
      body: '',
      recordingId: 'm1',
      about,
    })
  const reply = { ok: true, data: { shown: true } }
  expect(await notify('first', 'done')).toEqual(reply)
  expect(await notify('second', 'done, too')).toEqual(reply)
  expect(shown).toEqual(['done'])
  // The same page again, a page’s own notice, and another event later.
  await notify('first', 'again')
  await notify('second', 'own', 'page')
  now += 60_000
  await notify('third', 'later')
  expect(shown).toEqual(['done', 'again', 'own', 'later'])
})

import { expect, test } from 'vitest'
import { useSettings } from '../../../src/renderer/src/lib/settings-store.ts'
import { useSettingsForm } from '../../../src/renderer/src/shell/settings/use-settings-form.ts'
import type { Settings } from '../../../src/shared/contract/settings.ts'
import { failure } from '../fake-data.ts'
import { rendererSetup } from '../stores.ts'

/** Returns an app whose responses to changes are released by the test. */
async function held() {
  const app = rendererSetup()
  const settings = app.run(useSettings)
  await settings.load()
  const base = { ...settings.settings } as Settings
  const open: { answer(change: Partial<Settings>): void; refuse(): void }[] = []
  const send = app.client.request
  Object.assign(app.client, {
    request: (route: string, payload: never) =>
      route === 'settings.update'
        ? new Promise((resolve) =>
            open.push({
              answer: (change) => resolve({ ok: true, data: { ...base, ...change } }),
              refuse: () => resolve({ ok: false, error: failure('READ_ONLY') }),
            }),
          )
        : send(route as never, payload),
  })
  return { app, settings, open }
}

test('reverts only a rejected change, not a newer saved one', async () => {
  const { settings, open } = await held()
  const first = settings.update({ theme: 'dark' })
  const second = settings.update({ listWidth: 400 })
  open[1]?.answer({ listWidth: 400 })
  expect(await second).toBe(true)
  expect(settings.settings).toMatchObject({ theme: 'dark', listWidth: 400 })
  open[0]?.refuse()
  expect(await first).toBe(false)
  expect(settings.settings).toMatchObject({ theme: 'system', listWidth: 400 })
})

test('does not undo a newer change with a late response', async () => {
  const { settings, open } = await held()
  const first = settings.update({ listWidth: 300 })
  const second = settings.update({ listWidth: 400 })
  open[1]?.answer({ listWidth: 400 })
  await second
  open[0]?.answer({ listWidth: 300 })
  await first
  expect(settings.settings?.listWidth).toBe(400)
})

test('shows settings changed elsewhere without reading them, until they may have been missed', async () => {
  const { app, settings, open } = await held()
  const reads = (): number =>
    app.main.requests.filter(({ route }) => route === 'settings.get').length
  const before = reads()
  const pending = settings.update({ listWidth: 300 })
  const changed = { ...(settings.saved as Settings), theme: 'dark', listWidth: 300 } as const
  app.main.push({ channel: 'app', event: { type: 'settings.changed', settings: changed } })
  open[0]?.answer({ listWidth: 300 })
  await pending
  // The event is newer than the response to the earlier request.
  expect(settings.settings).toMatchObject({ theme: 'dark', listWidth: 300 })
  expect(reads()).toBe(before)
  app.main.push({ channel: 'app', event: { type: 'settings.changed', settings: null } })
  await expect.poll(() => settings.settings).toMatchObject({ theme: 'system' })
  expect(reads()).toBe(before + 1)
})

test('keeps typed part sizes when another setting changes or saving fails', async () => {
  const { app, settings, open } = await held()
  const form = app.run(() => useSettingsForm({ partPages: 1, partMegabytes: 1, proxy: '' }))
  expect(form).toEqual({ partPages: 24, partMegabytes: 30, proxy: 'system' })
  form.partPages = 7
  form.proxy = 'http://proxy.example:80'
  const other = settings.update({ theme: 'dark', partMegabytes: 20 })
  open[0]?.answer({ theme: 'dark', partMegabytes: 20 })
  await other
  expect(form).toEqual({ partPages: 7, partMegabytes: 20, proxy: 'http://proxy.example:80' })
  const saving = settings.update(form)
  open[1]?.refuse()
  await saving
  expect(form.partPages).toBe(7)
  const again = settings.update(form)
  open[2]?.answer(form)
  await again
  // The saved value is followed again.
  const reset = settings.update({ partPages: 24 })
  open[3]?.answer({ partPages: 24 })
  await reset
  expect(form.partPages).toBe(24)
})

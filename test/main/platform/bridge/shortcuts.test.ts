import { expect, test } from 'vitest'
import { quickHandlers } from '../../../../src/main/domains/chats/routes.ts'
import { shortcutHandlers } from '../../../../src/main/domains/settings/routes.ts'
import type { ShortcutHost } from '../../../../src/main/host.ts'
import { defaultSettings, type Settings } from '../../../../src/shared/contract/settings.ts'

const context = {} as never

/** Creates handlers with settings in memory; `answer` is the host's result for any keys. */
function setupOf(answer: 'on' | 'taken' | 'asked' | null, writable = true) {
  let saved: Settings = { ...defaultSettings, recordShortcut: 'F9' }
  const requests: string[] = []
  const host: ShortcutHost = {
    use: async (name, keys) => {
      requests.push(`${name} ${keys}`)
      return answer ?? 'off'
    },
  }
  const store = {
    writable,
    settings: { get: () => saved, update: (patch: object) => (saved = { ...saved, ...patch }) },
  }
  const handlers = shortcutHandlers(store, answer === null ? undefined : host)
  return { handlers, requests, saved: () => saved }
}

test('registers each configured shortcut with the system', async () => {
  const { handlers, requests } = setupOf('on')
  expect(await handlers['shortcuts.state']({}, context)).toEqual({
    shortcuts: {
      quick: { keys: defaultSettings.quickShortcut, state: 'on' },
      record: { keys: 'F9', state: 'on' },
    },
  })
  expect(requests).toEqual([`quick ${defaultSettings.quickShortcut}`, 'record F9'])
})

test('saves keys that were granted or requested, but not those taken by another program', async () => {
  for (const [answer, keys] of [
    ['on', 'Alt+R'],
    ['asked', 'Alt+R'],
    ['taken', 'F9'],
  ] as const) {
    const { handlers, saved } = setupOf(answer)
    const reply = await handlers['shortcuts.use']({ name: 'record', keys: 'Alt+R' }, context)
    expect(reply).toEqual({ keys, state: answer })
    expect(saved().recordShortcut).toBe(keys)
    expect(saved().quickShortcut).toBe(defaultSettings.quickShortcut)
  }
  const { handlers, saved } = setupOf('on', false)
  await handlers['shortcuts.use']({ name: 'record', keys: 'Alt+R' }, context)
  expect(saved().recordShortcut).toBe('F9')
})

test('offers neither global shortcuts nor a quick window in a browser', async () => {
  const { handlers } = setupOf(null)
  expect(await handlers['shortcuts.state']({}, context)).toMatchObject({
    shortcuts: { quick: { state: 'absent' }, record: { state: 'absent' } },
  })
  await expect(
    handlers['shortcuts.use']({ name: 'quick', keys: '' }, context),
  ).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' })
  await expect(quickHandlers(undefined)['quick.hide']({}, context)).rejects.toMatchObject({
    code: 'NOT_IMPLEMENTED',
  })
})

test('lets the host hide the quick window', async () => {
  let hidden = 0
  const host = { show() {}, leave() {}, hide: async () => void hidden++ }
  expect(await quickHandlers(host)['quick.hide']({}, context)).toEqual({})
  expect(hidden).toBe(1)
})

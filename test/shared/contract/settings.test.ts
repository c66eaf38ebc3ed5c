import { expect, test } from 'vitest'
import {
  defaultSettings,
  settings,
  settingsSchema,
  storedSettings,
} from '../../../src/shared/contract/settings.ts'

test('the defaults are valid, and used where nothing is stored', () => {
  expect(settingsSchema.parse(defaultSettings)).toEqual(defaultSettings)
  expect(storedSettings({})).toEqual(defaultSettings)
})

test('keeps what is valid of settings stored by another version', () => {
  const certificate = { subject: 'CN=Example', sha256: 'AB:CD', validTo: 1 }
  expect(
    storedSettings({
      theme: 'sepia',
      language: 'zh-CN',
      welcomed: 'yes',
      listWidth: '300',
      pagesWidth: 5000,
      partPages: -1,
      partRequests: 2.5,
      certificates: [certificate, { subject: 'CN=Other' }, null],
      prices: { 'account model': '2', other: 3, ['m'.repeat(201)]: '1' },
      proxy: null,
      removedSetting: true,
    }),
  ).toEqual({
    ...defaultSettings,
    language: 'zh-CN',
    pagesWidth: 1400,
    partPages: 1,
    certificates: [certificate],
    prices: { 'account model': '2' },
  })
})

test('the page changes only settings without a route of their own', () => {
  const accepts = (patch: object): boolean => settings.update.request.safeParse(patch).success
  expect(accepts({})).toBe(true)
  expect(accepts({ theme: 'dark', prices: { 'account model': '2' } })).toBe(true)
  for (const patch of [
    { activeAccountId: 'other' },
    { certificates: [] },
    { proxy: 'none' },
    { quickShortcut: '' },
    { recordShortcut: '' },
    { unknown: 1 },
    { listWidth: 100 },
    { prices: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`${index}`, '1'])) },
  ])
    expect(accepts(patch)).toBe(false)
})

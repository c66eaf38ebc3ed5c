import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openElectronLectern, type ElectronLectern } from './lectern.ts'
import { chooseThisComputer } from './steps.ts'

let lectern: ElectronLectern
let quick: Page
const shortcut = 'CommandOrControl+Shift+Space'

beforeAll(async () => {
  lectern = await openElectronLectern()
  await chooseThisComputer(lectern.page)
})
afterAll(() => lectern.close())

const state = async () => (await lectern.windows()).at(-1)

test('quick window: opens in front of everything by its shortcut, which also hides it again', async () => {
  const { app } = lectern
  quick = await lectern.opened(() => app.command('shortcut.press', shortcut))
  await quick.getByRole('textbox').first().waitFor()
  expect(await state()).toMatchObject({
    visible: true,
    focused: true,
    url: expect.stringMatching(/^app:\/\/bundle\/#\/quick/),
  })
  await app.command('shortcut.press', shortcut)
  expect(await state()).toMatchObject({ visible: false })
  await app.command('shortcut.press', shortcut)
  expect(await state()).toMatchObject({ visible: true, focused: true })
})

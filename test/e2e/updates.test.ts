import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UpdateState } from '../../src/shared/model/updates.ts'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'

// Built page, its real policy, and a minimal main: a browser tab has no updates of its own.

const notes = [
  '## News',
  '- Search is **twice as fast**',
  '- A link: <https://lectern.example/news>',
  '',
  '<img src="https://tracker.example/seen.png" onerror="window.hacked = 1">',
  '<script>window.hacked = 1</script>',
  '![](https://tracker.example/seen.png)',
].join('\n')

const state = (some: Partial<UpdateState> = {}): UpdateState => ({
  stage: 'available',
  support: { mode: 'restart' },
  version: '0.1.0',
  checkedAt: Date.UTC(2026, 10, 20),
  update: {
    version: '0.2.0',
    releasedAt: Date.UTC(2026, 10, 19),
    size: 187_000_000,
    notes: { en: notes, zh: '## 新内容\n- 搜索速度**提高一倍**' },
    quiet: false,
  },
  progress: null,
  failure: null,
  recording: false,
  rollBack: null,
  downloadPage: 'https://lectern.example/download',
  ...some,
})

const downloading = state({
  stage: 'downloading',
  progress: { bytes: 64e6, total: 187e6, bytesPerSecond: 3.4e6, mirror: 'mirror.example' },
})
const failure = { step: 'download', fault: 'wrong-hash', detail: 'mirror.example', at: 1 } as const
const rollBack = { version: '0.0.9', updatedAt: Date.UTC(2026, 10, 1), hasPackage: true }

let fake = ''
beforeAll(async () => {
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: 'test/renderer/fake-page.ts', formats: ['iife'], name: 'fake' },
    },
  })) as Rolldown.RolldownOutput[]
  fake = built[0]?.output[0].code ?? ''
})

/** Opens the page with a main that reports this state; its requests can be read. */
async function open(entered: Page, updateState: UpdateState, route = ''): Promise<Page> {
  const page = await entered.context().newPage()
  await page.addInitScript({
    content: `${fake}
      window.asked = []
      const told = ${JSON.stringify(updateState)}
      for (const action of ['state', 'check', 'download', 'cancel', 'install', 'rollBack'])
        window.lectern.answer('updates.' + action, () => {
          if (action !== 'state') window.asked.push(action)
          return told
        })`,
  })
  // The first page's cookie opens this one; its requests go to the minimal main.
  await page.goto(`${new URL(entered.url()).origin}/${route}`)
  await page.getByRole('navigation').first().waitFor()
  return page
}
const requestedActions = (page: Page): Promise<unknown> => page.evaluate('window.asked')
/** Saves screenshots for manual review, if a folder for them is set. */
const show = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['LECTERN_SCREENS']
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) })
}

describe.each([
  ['light', 'en-US', /^Download \(/, 'Release notes', 'Restart to update'],
  ['dark', 'zh-CN', /^下载（/, '版本说明', '重启并更新'],
  ['light', 'zh-CN', /^下载（/, '版本说明', '重启并更新'],
  ['dark', 'en-US', /^Download \(/, 'Release notes', 'Restart to update'],
] as const)('%s, %s', (colorScheme, locale, download, releaseNotes, restart) => {
  let lectern: Lectern
  beforeAll(async () => {
    lectern = await openLectern({ colorScheme, locale })
  })
  afterAll(() => lectern.close())
  const named = (name: string): string => `${name}-${colorScheme}-${locale}`

  test('shows release notes of a new version without scripts or requests, and starts its download', async () => {
    const page = await open(lectern.page, state())
    const outside: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(page.url()).origin)) outside.push(request.url())
    })
    const notice = page.getByTestId('update-notice')
    await notice.waitFor()
    expect(await findings(page)).toEqual([])
    await show(page, named('available'))
    await notice.getByRole('button', { name: releaseNotes }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { level: 2 }).nth(1).waitFor()
    expect(await dialog.locator('strong').count()).toBe(1)
    expect(await dialog.locator('img[src^="http"], script').count()).toBe(0)
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(outside).toEqual([])
    expect(await findings(page)).toEqual([])
    await show(page, named('notes'))
    await page.keyboard.press('Escape')
    await notice.getByRole('button', { name: download }).click()
    expect(await requestedActions(page)).toEqual(['download'])
    await page.close()
  })

  test.each([
    ['downloading', downloading],
    ['ready', state({ stage: 'ready', rollBack })],
    ['recording', state({ stage: 'ready', recording: true })],
    ['failed', state({ stage: 'failed', failure })],
    ['manual', state({ support: { mode: 'manual', why: 'system-package' } })],
    ['idle', state({ stage: 'idle', update: null, rollBack: { ...rollBack, hasPackage: false } })],
    ['none', state({ stage: 'idle', update: null, support: { mode: 'none', why: 'no-feed' } })],
  ] as const)('%s in Settings', async (name, updateState) => {
    const page = await open(lectern.page, updateState, '#/settings/about')
    await page.getByTestId('update-state').waitFor()
    await page.waitForTimeout(300)
    expect(await findings(page)).toEqual([])
    await show(page, named(`settings-${name}`))
    if (name === 'ready') {
      await page.getByTestId('update-state').getByRole('button', { name: restart }).click()
      expect(await requestedActions(page)).toEqual(['install'])
    }
    if (name === 'recording')
      expect(
        await page.getByTestId('update-state').getByRole('button', { name: restart }).isDisabled(),
      ).toBe(true)
    await page.close()
  })
})

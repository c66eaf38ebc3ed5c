import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { openLectern } from '../e2e/lectern.ts'
import { secondPage } from '../e2e/second-page.ts'
import { prepareLibrary, type SampleLibrary } from './sample-library.ts'
import { smallPng } from './small-png.ts'

const folder = resolve('docs/images')
const size = { width: 1280, height: 800 }
const languages = { en: 'en', zh: 'zh-CN' } as const
const themes = ['light', 'dark'] as const

/** Bytes of one image and of all: the repository stays small. */
const limits = { image: 150_000, all: 3_000_000 }

/** A screen of the app. It is found by its URL and by test IDs, never by texts, which differ between languages. */
interface Screen {
  readonly name: string
  readonly address: (library: SampleLibrary) => string
  /** Shows what the screenshot is about. */
  readonly prepare?: (page: Page) => Promise<void>
}

const screens: readonly Screen[] = [
  {
    name: 'meeting',
    address: ({ meeting }) => `/recordings/${meeting}`,
    prepare: (page) => page.getByTestId('line-words').first().waitFor(),
  },
  { name: 'record', address: () => '/recordings?record' },
  {
    name: 'document',
    address: ({ document }) => `/documents/${document}`,
    prepare: (page) =>
      page.locator('main [data-page] canvas, main [data-page] img').first().waitFor(),
  },
  {
    name: 'chat',
    address: ({ chat }) => `/chats/${chat}`,
    async prepare(page) {
      const citation = page.getByTestId('answer').last().locator('.md-cite').first()
      await citation.click()
      await page.getByTestId('source-place').first().waitFor()
    },
  },
  { name: 'knowledge', address: ({ knowledgeBase }) => `/knowledge/bases/${knowledgeBase}` },
  { name: 'voices', address: ({ voice }) => `/voices/clone/${voice}` },
  { name: 'playground', address: ({ run }) => `/playground/runs/${run}` },
  { name: 'library', address: () => '/library' },
  { name: 'settings', address: () => '/settings/accounts' },
]

/** Takes every screen in one language and theme. */
async function takeScreens(
  page: Page,
  client: BridgeClient,
  library: SampleLibrary,
  language: keyof typeof languages,
  theme: (typeof themes)[number],
): Promise<number> {
  await client.call('settings.update', { language: languages[language], theme })
  let bytes = 0
  for (const screen of screens) {
    await page.evaluate((to) => void (location.hash = `#${to}`), screen.address(library))
    await page.reload()
    await page.getByRole('main').waitFor()
    await screen.prepare?.(page)
    // Lists, images and fonts that are still loading.
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => document.fonts.ready)
    await page.waitForTimeout(1_000)
    const path = join(folder, `${screen.name}-${language}-${theme}.png`)
    const image = await smallPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
    if (image.length > limits.image) throw new Error(`${path} has ${image.length} bytes`)
    writeFileSync(path, image)
    bytes += image.length
    console.log(`${screen.name}-${language}-${theme}.png  ${Math.round(image.length / 1000)} kB`)
  }
  return bytes
}

/** `npm run screenshots`: takes the images of the user guide from the built app with a sample library, in both languages and themes. */
async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'lectern-screenshots-'))
  mkdirSync(folder, { recursive: true })
  const lectern = await openLectern({ home, ...size })
  const client = await secondPage(home)
  try {
    console.log('Preparing the sample library…')
    const library = await prepareLibrary(client)
    let bytes = 0
    for (const language of ['en', 'zh'] as const)
      for (const theme of themes)
        bytes += await takeScreens(lectern.page, client, library, language, theme)
    if (bytes > limits.all) throw new Error(`The images have ${bytes} bytes`)
    console.log(`${Math.round(bytes / 1000)} kB in ${folder}`)
  } finally {
    client.close()
    await lectern.close()
    rmSync(home, { recursive: true, force: true })
  }
}

await main()

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { openLectern, type Lectern } from '../e2e/lectern.ts'
import { secondPage } from '../e2e/second-page.ts'
import { prepareLibrary, type SampleLibrary } from './sample-library.ts'
import { filled, guideScreens, sections, showScreen, type Screen } from './screens.ts'
import { smallPng } from './small-png.ts'

const folder = resolve('docs/images')
const size = { width: 1280, height: 800 }
const languages = { en: 'en', zh: 'zh-CN' } as const
const themes = ['light', 'dark'] as const

/** Bytes of one image and of all: the repository stays small. */
const limits = { image: 150_000, all: 3_000_000 }

/** Opens a screen and returns its image when everything is loaded. */
async function shot(page: Page, screen: Screen, library: SampleLibrary): Promise<Uint8Array> {
  await showScreen(page, screen, library)
  // Lists, images and fonts that are still loading.
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(1_000)
  return page.screenshot({ animations: 'disabled', caret: 'hide' })
}

/** Takes the images of the user guide in one language and theme. */
async function takeGuide(
  page: Page,
  client: BridgeClient,
  library: SampleLibrary,
  language: keyof typeof languages,
  theme: (typeof themes)[number],
): Promise<number> {
  await client.call('settings.update', { language: languages[language], theme })
  let bytes = 0
  for (const screen of guideScreens) {
    const path = join(folder, `${screen.name}-${language}-${theme}.png`)
    const image = await smallPng(await shot(page, screen, library))
    if (image.length > limits.image) throw new Error(`${path} has ${image.length} bytes`)
    writeFileSync(path, image)
    bytes += image.length
    console.log(`${screen.name}-${language}-${theme}.png  ${Math.round(image.length / 1000)} kB`)
  }
  return bytes
}

/** Takes the guide's images, in both languages and themes. */
async function guide({ page }: Lectern, client: BridgeClient): Promise<void> {
  mkdirSync(folder, { recursive: true })
  console.log('Preparing the sample library…')
  const library = await prepareLibrary(client)
  let bytes = 0
  for (const language of ['en', 'zh'] as const)
    for (const theme of themes) bytes += await takeGuide(page, client, library, language, theme)
  if (bytes > limits.all) throw new Error(`The images have ${bytes} bytes`)
  console.log(`${Math.round(bytes / 1000)} kB in ${folder}`)
}

interface Appearance {
  readonly language: keyof typeof languages
  readonly theme: (typeof themes)[number]
  readonly width: number
}
const widths = [1440, 1000, 700] as const
const withWidths = (
  widthsOf: readonly number[],
  language: Appearance['language'],
  theme: Appearance['theme'],
): readonly Appearance[] => widthsOf.map((width) => ({ language, theme, width }))
/** Every width in two languages and themes, and the other combinations once. */
const appearances: readonly Appearance[] = [
  ...withWidths(widths, 'en', 'light'),
  ...withWidths(widths, 'zh', 'dark'),
  ...withWidths([1440], 'en', 'dark'),
  ...withWidths([1440], 'zh', 'light'),
]
/** For states that differ little. */
const fewAppearances: readonly Appearance[] = [
  ...withWidths([1440, 700], 'en', 'light'),
  ...withWidths([1000], 'zh', 'dark'),
]

/** Takes the screens in each appearance; a screen that cannot be reached is reported. */
async function takeAll(
  page: Page,
  client: BridgeClient,
  library: SampleLibrary,
  all: readonly Screen[],
  { target, looks }: { readonly target: string; readonly looks: readonly Appearance[] },
): Promise<void> {
  mkdirSync(target, { recursive: true })
  for (const { language, theme, width } of looks) {
    await client.call('settings.update', { language: languages[language], theme })
    await page.setViewportSize({ width, height: width === 1440 ? 900 : 700 })
    for (const screen of all) {
      const name = `${screen.name}-${language}-${theme}-${width}.png`
      try {
        writeFileSync(join(target, name), await shot(page, screen, library))
      } catch (error) {
        console.error(`${name}: ${String(error).split('\n')[0]}`)
      }
    }
    console.log(`${target}: ${all.length} screens, ${language}, ${theme}, ${width} px`)
  }
}

/** Takes every screen of an empty library, a full one, and one whose account cannot be reached. */
async function review({ page }: Lectern, client: BridgeClient, target: string): Promise<void> {
  page.setDefaultTimeout(10_000)
  const nothing = { meeting: '', document: '', chat: '', knowledgeBase: '', voice: '', run: '' }
  const welcome = { name: 'welcome', address: () => '/' }
  await takeAll(page, client, nothing, [welcome], { target, looks: appearances })
  await client.call('settings.update', { welcomed: true })
  const empty = { target: join(target, 'empty'), looks: fewAppearances }
  await takeAll(page, client, nothing, sections, empty)
  console.log('Preparing the sample library…')
  const library = await prepareLibrary(client)
  const full = { target: join(target, 'full'), looks: appearances }
  await takeAll(page, client, library, [...filled, ...sections], full)
  const { id } = await client.call('accounts.create', {
    preset: 'custom',
    name: 'Unreachable',
    baseUrl: 'http://127.0.0.1:9/api',
  })
  await client.call('accounts.activate', { id })
  const unreachable = { target: join(target, 'unreachable'), looks: fewAppearances }
  await takeAll(page, client, library, sections, unreachable)
}

/**
 * `npm run screenshots` takes the images of the user guide from the built app with a sample library.
 * `npm run screenshots -- --every-screen FOLDER` takes every screen for a review.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { 'every-screen': { type: 'string' } } })
  const target = values['every-screen']
  const home = mkdtempSync(join(tmpdir(), 'lectern-screenshots-'))
  const lectern = await openLectern({ home, ...size })
  const client = await secondPage(home)
  try {
    if (target) await review(lectern, client, resolve(target))
    else await guide(lectern, client)
  } finally {
    client.close()
    await lectern.close()
    rmSync(home, { recursive: true, force: true })
  }
}

await main()

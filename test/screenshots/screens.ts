import type { Page } from 'playwright-core'
import type { SampleLibrary } from './sample-library.ts'

/** A screen of the app. It is found by its URL and by test IDs, never by texts, which differ between languages. */
export interface Screen {
  readonly name: string
  readonly address: (library: SampleLibrary) => string
  /** Shows what the screen is about. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** Opens a screen as after a start on its address. */
export async function showScreen(
  page: Page,
  { address, prepare }: Screen,
  library: SampleLibrary,
): Promise<void> {
  await page.evaluate((to) => void (location.hash = `#${to}`), address(library))
  await page.reload()
  await page.getByRole('main').first().waitFor()
  await prepare?.(page)
}

/** Opens dialogs, panes or menus one after another by their test IDs. */
const clicked =
  (...testIds: readonly string[]) =>
  async (page: Page): Promise<void> => {
    for (const testId of testIds) await page.getByTestId(testId).first().click()
  }
const transcript = (page: Page) => page.getByTestId('line-text').first().waitFor()
const pages = (page: Page) =>
  page.locator('main [data-page] canvas, main [data-page] img').first().waitFor()
/** Opens the menu of the first row of a list. */
const rowMenu = async (page: Page): Promise<void> => {
  await page.locator('a[data-item]').first().press('Shift+F10')
  await page.getByRole('menu').waitFor()
}

/** Screens of the user guide. */
export const guideScreens: readonly Screen[] = [
  { name: 'meeting', address: ({ meeting }) => `/meetings/${meeting}`, prepare: transcript },
  { name: 'record', address: () => '/meetings?record' },
  { name: 'document', address: ({ document }) => `/documents/${document}`, prepare: pages },
  {
    name: 'chat',
    address: ({ chat }) => `/chats/${chat}`,
    async prepare(page) {
      const citation = page.getByTestId('answer').last().locator('.md-cite').first()
      await citation.click()
      await page.getByTestId('source-highlight').first().waitFor()
    },
  },
  {
    name: 'new-chat',
    address: () => '/chats',
    prepare: (page) => page.getByTestId('choose-assistant').waitFor(),
  },
  { name: 'knowledge', address: ({ knowledgeBase }) => `/knowledge/bases/${knowledgeBase}` },
  { name: 'voices', address: ({ voice }) => `/voices/clone/${voice}` },
  { name: 'playground', address: ({ run }) => `/playground/runs/${run}` },
  { name: 'library', address: () => '/library' },
  { name: 'settings', address: () => '/settings/accounts' },
]

/** Screens that show the same for any library, or their empty state. */
export const sections: readonly Screen[] = [
  'meetings',
  'documents',
  'chats',
  'quick',
  'library',
  'library/bin',
  'activity',
  'voices/library',
  'voices/clone',
  'voices/speak',
  'knowledge/bases',
  'knowledge/retrieval',
  'knowledge/slices',
  'playground/new',
  'playground/runs',
  'playground/embeddings',
  'playground/rerank',
  'playground/search',
  'playground/responses',
  'playground/tasks',
  'playground/slides',
  'settings/general',
  'settings/accounts',
  'settings/documents',
  'settings/network',
  'settings/storage',
  'settings/shortcuts',
  'settings/about',
].map((path) => ({ name: path.replace('/', '-'), address: () => `/${path}` }))

/** Returns screens of one item: what opens from it, by the end of their name. */
const opened = (
  section: string,
  address: Screen['address'],
  states: Readonly<Record<string, (page: Page) => Promise<unknown>>>,
): readonly Screen[] =>
  Object.entries(states).map(([name, prepare]) => ({
    name: `${section}-${name}`,
    address,
    prepare: async (page) => void (await prepare(page)),
  }))

/** Shows the summary of a meeting, which is made the first time. */
async function summary(page: Page): Promise<void> {
  await transcript(page)
  await page.locator('label:has(input[value=summary])').click()
  const done = page.locator('[data-testid=summary][data-state=done]')
  await page.getByTestId('summarize').waitFor()
  if ((await done.count()) === 0) await page.getByTestId('summarize').click()
  await done.waitFor()
}

/** Screens with content, and what opens on them. */
export const filled: readonly Screen[] = [
  ...guideScreens.filter(({ name }) => !['settings', 'library'].includes(name)),
  ...opened('meeting', ({ meeting }) => `/meetings/${meeting}`, {
    export: clicked('export'),
    'export-options': clicked('export', 'export-more'),
    'transcribe-again': clicked('transcribe-again'),
    async replace(page) {
      await transcript(page)
      await page.keyboard.press('Control+h')
      await page.keyboard.type('the')
      await page.getByTestId('replace-bar').waitFor()
    },
    'line-menu': async (page) => {
      await page.getByTestId('line-text').nth(1).click()
      await page.keyboard.press('Shift+F10')
      await page.getByRole('menu').waitFor()
    },
    'line-editor': async (page) => {
      await page.getByTestId('line-text').nth(1).dblclick()
      await page.getByTestId('line-editor').waitFor()
    },
    'selected-lines': async (page) => {
      await page.getByTestId('line-text').nth(1).click()
      await page.keyboard.press('Shift+ArrowDown')
      await page.getByTestId('selection-bar').waitFor()
    },
    speaker: clicked('turn-speaker'),
    'row-menu': rowMenu,
    summary,
    'share-summary': async (page) => {
      await summary(page)
      await clicked('share-summary')(page)
    },
    'print-summary': async (page) => {
      await summary(page)
      await clicked('share-summary')(page)
      await page.getByRole('menuitem').last().click()
      await page.getByTestId('print-view').waitFor()
    },
  }),
  ...opened('chat', ({ chat }) => `/chats/${chat}`, {
    settings: clicked('chat-settings-open'),
    find: clicked('thread-find'),
    timeline: clicked('answer-timeline'),
    sources: clicked('answer-sources'),
    more: async (page) => {
      await page.getByTestId('thread-pane').locator('header [popovertarget]').last().click()
    },
    export: clicked('chat-export-open'),
    'export-options': clicked('chat-export-open', 'export-more'),
    print: async (page) => {
      await page.getByTestId('thread-pane').locator('header [popovertarget]').last().click()
      await clicked('chat-print-open')(page)
    },
    usage: async (page) => {
      await page.getByTestId('thread-pane').locator('header [popovertarget]').last().click()
      await clicked('chat-usage-open')(page)
    },
  }),
  ...opened('new-chat', () => '/chats', {
    gallery: clicked('choose-assistant'),
    bases: async (page) => {
      await page.locator('[data-testid=choose-assistant] + [popovertarget]').click()
    },
  }),
  ...opened('document', ({ document }) => `/documents/${document}`, {
    export: clicked('document-export-open'),
    'export-options': clicked('document-export-open', 'export-more'),
    find: clicked('find-open'),
    highlights: clicked('highlights-open'),
    more: clicked('document-more'),
    'parse-again': clicked('document-more', 'parse-again'),
    'add-to-knowledge-base': clicked('document-more', 'add-to-knowledge-base'),
    speak: clicked('document-more', 'document-speak'),
    'row-menu': rowMenu,
  }),
  ...opened('knowledge', ({ knowledgeBase }) => `/knowledge/bases/${knowledgeBase}`, {
    'add-documents': clicked('add-documents'),
    'new-knowledge-base': clicked('new-knowledge-base'),
  }),
  ...opened('library', () => '/library', {
    async tags(page) {
      await page.locator('main input[type=checkbox]').first().check()
      await page.locator('main .acts button:has(svg.lucide-tag)').click()
      await page.getByRole('dialog').waitFor()
    },
    async palette(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('the')
      await page.getByRole('option').filter({ hasText: 'the' }).first().waitFor()
    },
    async drop(page) {
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['text'], 'notes.md', { type: 'text/markdown' }))
        document.body.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }))
      })
      await page.getByTestId('drop-target').waitFor()
    },
    connection: clicked('connection'),
    jobs: async (page) => {
      await page.locator('footer [popovertarget]').last().click()
    },
  }),
  { name: 'settings-new-account', address: () => '/settings/accounts?add' },
]

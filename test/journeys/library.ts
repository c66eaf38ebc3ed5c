import { readFileSync } from 'node:fs'
import mammoth from 'mammoth'
import {
  documentEnd,
  documentTitle,
  documentWord,
  importDocument,
  importMeeting,
  meetingTitle,
  meetingWord,
} from './content.ts'
import type { Journey, Start } from './journey.ts'
import { main, row, section } from './locators.ts'

async function importBoth(start: Start): Promise<void> {
  await importMeeting(start)
  await importDocument(start)
}

export const search: Journey = {
  name: 'search',
  prepare: importBoth,
  parts: [
    {
      name: 'search: moment',
      goal: 'From the opened app to the moment of a meeting in which a word is said.',
      async steps(person, { page }) {
        await person.press('Control+k')
        await person.type(page.getByRole('combobox', { name: /^Search/ }), meetingWord)
        await person.press('Enter')
        await person.see(main(page).locator('mark').filter({ hasText: meetingWord }).first())
      },
    },
    {
      name: 'search: page',
      goal: 'From a meeting to the page of a document that contains a word.',
      async steps(person, { page }) {
        await person.press('Control+k')
        await person.type(page.getByRole('combobox', { name: /^Search/ }), documentWord)
        await person.press('Enter')
        await person.see(
          page.getByTestId('markdown-pane').locator('.chosen', { hasText: documentEnd }),
        )
      },
    },
  ],
}

export const exportItems: Journey = {
  name: 'export',
  prepare: importBoth,
  parts: [
    {
      name: 'export: meeting',
      goal: 'From the opened app to a Word file of a meeting.',
      async steps(person, { page }) {
        await person.click(row(page, meetingTitle))
        await person.click(page.getByTestId('export'))
        const { name, path } = await person.save(
          page.getByRole('menuitem', { name: /^Word/ }),
          'Which format?',
        )
        const { value } = await mammoth.extractRawText({ buffer: readFileSync(path) })
        if (!name.endsWith('.docx') || !value.includes(meetingWord))
          throw new Error(`${name} doesn’t contain the meeting`)
      },
    },
    {
      name: 'export: document',
      goal: 'From an open meeting to a Markdown file of a document.',
      async steps(person, { page }) {
        await person.click(section(page, 'Documents'))
        await person.click(row(page, documentTitle))
        await person.click(page.getByTestId('document-export-open'))
        const { name, path } = await person.save(
          page.getByRole('menuitem', { name: /^Markdown/ }),
          'Which format?',
        )
        if (!name.endsWith('.md') || !readFileSync(path, 'utf8').includes(documentEnd))
          throw new Error(`${name} doesn’t contain the document`)
      },
    },
  ],
}

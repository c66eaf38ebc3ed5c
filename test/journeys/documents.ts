import type { Journey } from './journey.ts'
import {
  documentAnswer,
  documentEnd,
  documentPdf,
  documentQuestion,
  documentTitle,
  importDocument,
} from './content.ts'
import { row, section } from './locators.ts'

export const readPdf: Journey = {
  name: 'read-pdf',
  parts: [
    {
      name: 'read-pdf',
      goal: 'From the opened app and a PDF file to its text next to its pages.',
      async steps(person, { page, file }) {
        const path = file(`${documentTitle}.pdf`, await documentPdf())
        await person.click(section(page, 'Documents'))
        await person.chooseFile(page.getByRole('button', { name: 'Import…' }).first(), path)
        await person.see(page.locator('main [data-page] canvas, main [data-page] img').first())
        await person.see(page.getByTestId('markdown-pane').getByText(documentEnd))
      },
    },
  ],
}

export const askDocument: Journey = {
  name: 'ask-document',
  prepare: importDocument,
  parts: [
    {
      name: 'ask-document',
      goal: 'From the opened app to an answer from a document, with a citation that opened its page.',
      async steps(person, { page }) {
        await person.click(section(page, 'Documents'))
        await person.click(row(page, documentTitle))
        await person.click(page.getByTestId('ask-document'))
        const field = page.getByTestId('composer').getByRole('textbox', { name: 'Question' })
        await person.type(field, documentQuestion)
        await person.press('Enter')
        const answer = page.locator('[data-testid=answer][data-state=done]')
        await person.see(answer.getByText(documentAnswer).first())
        await person.click(answer.getByTestId('answer-sources').first())
        await person.choose(
          'Which source?',
          page
            .getByTestId('source-pane')
            .getByTestId('passage')
            .filter({ hasText: documentAnswer }),
        )
        await person.see(page.getByTestId('source-highlight').first())
      },
    },
  ],
}

import type { Journey } from './journey.ts'
import { documentAnswer, documentPdf, documentQuestion, documentTitle } from './content.ts'
import { section } from './locators.ts'

export const askKnowledge: Journey = {
  name: 'ask-knowledge',
  parts: [
    {
      name: 'ask-knowledge',
      goal: 'From the opened app to an answer from a new knowledge base with one document.',
      async steps(person, { page, file }) {
        const path = file(`${documentTitle}.pdf`, await documentPdf())
        await person.click(section(page, 'Chat'))
        await person.click(page.getByRole('link', { name: 'Knowledge bases' }))
        await person.click(page.getByTestId('new-knowledge-base'))
        const create = page.getByTestId('knowledge-base-form')
        await person.type(create.getByLabel('Name'), 'Travel')
        await person.press('Enter')
        const add = page.getByTestId('add-documents-form')
        await person.chooseFile(add.getByRole('button', { name: 'Choose files…' }), path)
        await person.click(add.getByRole('button', { name: 'Add 1 document', exact: true }))
        await person.click(page.getByRole('radiogroup', { name: 'View' }).getByText('Documents'))
        await person.see(page.getByTestId('knowledge-base-document').getByText('Searchable'))
        await person.click(page.getByRole('button', { name: 'Start chat' }))
        await person.type(
          page.getByTestId('composer').getByRole('textbox', { name: 'Question' }),
          documentQuestion,
        )
        await person.press('Enter')
        const answer = page.locator('[data-testid=answer][data-state=done]')
        await person.see(answer.getByText(documentAnswer).first())
      },
    },
  ],
}

import type { Journey } from './journey.ts'

export const switchAccount: Journey = {
  name: 'account',
  provider: 'engines',
  parts: [
    {
      name: 'account: to a key',
      goal: 'From This computer to a new account with an API key.',
      async steps(person, { page, provider }) {
        if (!provider) throw new Error('This journey needs a provider')
        await person.click(page.getByTestId('connection'))
        await person.click(page.getByRole('button', { name: 'Add account' }))
        const form = page.getByRole('form', { name: 'New account' })
        await person.choose('Which provider?', form.getByText('Custom provider'))
        await person.type(form.getByRole('textbox', { name: 'Base URL' }), provider.url)
        await person.paste(form.getByLabel('API key', { exact: true }), provider.key)
        await person.click(form.getByRole('button', { name: 'Add', exact: true }))
        // Without a name, an account is named after its server.
        const name = new URL(provider.url).host
        const card = page.getByRole('article', { name })
        await person.see(card.getByText('In use'))
        await person.see(page.getByTestId('connection').filter({ hasText: name }))
      },
    },
    {
      name: 'account: back',
      goal: 'From the account with an API key to This computer.',
      async steps(person, { page }) {
        await person.click(page.getByTestId('connection'))
        await person.click(page.getByRole('button', { name: 'This computer', exact: true }))
        await person.see(
          page.getByTestId('connection').filter({ hasText: 'This computer · ready' }),
        )
      },
    },
  ],
}

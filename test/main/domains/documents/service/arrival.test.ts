import { expect, test } from 'vitest'
import { localAccountId } from '../../../../../src/shared/provider/profiles.ts'
import { documentSetup, type DocumentSetup } from './document-setup.ts'

const arrived = async (setup: DocumentSetup, paper: { readonly password?: string } = {}) => {
  const mediaId = await setup.paper({ last: 3, ...paper })
  const { id } = (await setup.documents.create({ mediaId })).document
  await setup.quiet()
  return setup.documents.get(id)
}

test('sends no page of a new document to an account before the user has chosen', async () => {
  const setup = await documentSetup()
  expect((await arrived(setup)).versions).toEqual([])
  expect(setup.sent()).toEqual([])
})

test('parses a new document at once with the account that the user chose for its documents', async () => {
  const setup = await documentSetup()
  setup.store.settings.update({ parseOnArrival: { 'account-1': 'account' } })
  const { versions } = await arrived(setup)
  expect(versions).toMatchObject([{ accountId: 'account-1', state: 'done' }])
  // Importing the same file again sends nothing.
  await setup.documents.create({ mediaId: (await arrived(setup)).mediaId ?? '' })
  expect(setup.sent()).toEqual(['1-3', '1-3'])
})

test('parses on this computer what arrives while an account is active whose documents stay here', async () => {
  const setup = await documentSetup()
  setup.store.settings.update({ parseOnArrival: { 'account-1': 'this-computer' } })
  expect((await arrived(setup)).versions).toMatchObject([{ accountId: localAccountId }])
})

test('parses a new document at once while This computer is active, whatever accounts are set to', async () => {
  const setup = await documentSetup()
  setup.account({ id: localAccountId })
  expect((await arrived(setup)).versions).toMatchObject([{ accountId: localAccountId }])
})

test('parses a locked document once it is unlocked, and only the first time', async () => {
  const setup = await documentSetup()
  setup.store.settings.update({ parseOnArrival: { 'account-1': 'account' } })
  const { id, versions } = await arrived(setup, { password: 'open' })
  expect(versions).toEqual([])
  await setup.documents.unlock(id, 'open')
  await setup.quiet()
  await setup.restart()
  await setup.documents.unlock(id, 'open')
  await setup.quiet()
  expect(setup.documents.get(id).versions).toHaveLength(1)
})

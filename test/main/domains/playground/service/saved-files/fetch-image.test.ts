import { expect, test } from 'vitest'
import { AppError } from '../../../../../../src/main/errors.ts'
import { localAccountId, presets } from '../../../../../../src/shared/provider/profiles.ts'
import { fetchImage } from '../../../../../../src/main/domains/playground/service/saved-files/fetch-image.ts'
import { openFile } from '../../../../../../src/main/domains/playground/service/saved-files/fetch-file.ts'
import { documentSetup } from '../../../documents/service/document-setup.ts'
import { tinyPng } from '../../../documents/service/paper.ts'

const { signal } = new AbortController()
const refused = expect.objectContaining({ code: 'REFUSED' })

test('allows private addresses only for hosts that received the document', async () => {
  const setup = await documentSetup()
  const requestedUrls: string[] = []
  let isKeyed = false
  setup.remote = {
    resolve: async () => [{ address: '10.0.0.7', family: 4 }],
    async get(url) {
      requestedUrls.push(url)
      return {
        status: 200,
        headers: new Headers({ 'content-type': 'image/png' }),
        body: new Blob([tinyPng]).stream(),
      }
    },
  }
  setup.store.accounts.put({
    id: 'intranet',
    preset: 'custom',
    name: 'Intranet',
    profile: { ...presets.bigmodel, baseUrl: 'https://models.intranet:8443/api' },
    createdAt: 2,
  })
  const local = { baseUrl: 'http://127.0.0.1:4711' }
  const deps = {
    store: setup.store,
    remote: setup.remote,
    accounts: {
      target: async (id: string) => {
        if (id === 'intranet' && !isKeyed) throw new AppError('NO_KEY', 'No key')
        return (
          id === 'intranet' ? { baseUrl: 'https://models.intranet:8443/api' } : local
        ) as never
      },
    },
  }
  const address = 'https://models.intranet:8443/admin/reset.png'
  const fetched = (by: string, url = address) => fetchImage(deps, url, new Set([by]), signal)
  await expect(fetched('account-1')).rejects.toThrowError(refused)
  await expect(fetched('account-1', `${local.baseUrl}/media/1.png`)).rejects.toThrowError(refused)
  // No key was entered for this host: the account is from an archive.
  await expect(fetched('intranet')).rejects.toThrowError(refused)
  expect(requestedUrls).toEqual([])
  isKeyed = true
  expect(Buffer.from(await fetched('intranet')).equals(tinyPng)).toBe(true)
  expect(requestedUrls).toEqual([address])
})

test('reports an unresolvable configured host as unreachable, not as invalid', async () => {
  const setup = await documentSetup()
  setup.store.accounts.put({
    id: 'own',
    preset: 'custom',
    name: 'Own',
    profile: { ...presets.bigmodel, baseUrl: 'https://models.example/api' },
    createdAt: 2,
  })
  const deps = {
    store: setup.store,
    remote: setup.remote,
    accounts: { target: async () => ({ baseUrl: 'https://models.example/api' }) as never },
  }
  await expect(
    fetchImage(deps, 'https://models.example/a.png', new Set(['own']), signal),
  ).rejects.toThrowError(expect.objectContaining({ code: 'OFFLINE', retriable: true }))
})

test('fetches images of the on-device service only from this computer unless the user requests it', async () => {
  const setup = await documentSetup()
  const requestedUrls: string[] = []
  setup.remote = {
    resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    async get(url) {
      requestedUrls.push(url)
      return {
        status: 200,
        headers: new Headers({ 'content-type': 'image/png' }),
        body: new Blob([tinyPng]).stream(),
      }
    },
  }
  const own = 'http://127.0.0.1:4711'
  const accounts = { target: async () => ({ baseUrl: own }) as never }
  const deps = { store: setup.store, remote: setup.remote, accounts }
  const address = 'https://pictures.example/a.png'
  const by = new Set([localAccountId])
  await expect(fetchImage(deps, address, by, signal)).rejects.toThrowError(refused)
  const file = { address, role: 'cover', accountId: localAccountId } as const
  await expect(openFile(deps, file, signal)).rejects.toThrowError(refused)
  expect(requestedUrls).toEqual([])
  await fetchImage(deps, `${own}/media/1.png`, by, signal)
  await fetchImage(deps, address, by, signal, true)
  expect(requestedUrls).toEqual([`${own}/media/1.png`, address])
})

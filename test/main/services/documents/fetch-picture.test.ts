import { expect, test } from 'vitest'
import { presets } from '../../../../src/shared/service/profiles.ts'
import { fetchPicture } from '../../../../src/main/services/documents/fetch-picture.ts'
import { documentDesk } from './document-desk.ts'
import { tinyPng } from './paper.ts'

const { signal } = new AbortController()
const refused = expect.objectContaining({ code: 'REFUSED' })

test('only the hosts that got the document may be private, whatever a service names', async () => {
  const desk = await documentDesk()
  const asked: string[] = []
  desk.remote = {
    resolve: async () => [{ address: '10.0.0.7', family: 4 }],
    async get(url) {
      asked.push(url)
      return {
        status: 200,
        headers: new Headers({ 'content-type': 'image/png' }),
        body: new Blob([tinyPng]).stream(),
      }
    },
  }
  desk.store.accounts.put({
    id: 'intranet',
    preset: 'custom',
    name: 'Intranet',
    profile: { ...presets.bigmodel, baseUrl: 'https://models.intranet:8443/api' },
    createdAt: 2,
  })
  const local = { baseUrl: 'http://127.0.0.1:4711' }
  const deps = {
    store: desk.store,
    remote: desk.remote,
    accounts: { target: async () => local as never },
  }
  const address = 'https://models.intranet:8443/admin/reset.png'
  const fetched = (by: string, url = address) => fetchPicture(deps, url, new Set([by]), signal)
  await expect(fetched('account-1')).rejects.toThrowError(refused)
  await expect(fetched('account-1', `${local.baseUrl}/media/1.png`)).rejects.toThrowError(refused)
  expect(asked).toEqual([])
  expect(Buffer.from(await fetched('intranet')).equals(tinyPng)).toBe(true)
  expect(asked).toEqual([address])
})

test('a host of ours whose name is not found is out of reach, not wrong', async () => {
  const desk = await documentDesk()
  desk.store.accounts.put({
    id: 'own',
    preset: 'custom',
    name: 'Own',
    profile: { ...presets.bigmodel, baseUrl: 'https://models.example/api' },
    createdAt: 2,
  })
  const deps = {
    store: desk.store,
    remote: desk.remote,
    accounts: { target: () => Promise.reject(new Error('none')) },
  }
  await expect(
    fetchPicture(deps, 'https://models.example/a.png', new Set(['own']), signal),
  ).rejects.toThrowError(expect.objectContaining({ code: 'OFFLINE', retriable: true }))
})

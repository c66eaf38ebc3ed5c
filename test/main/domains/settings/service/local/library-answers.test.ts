import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { LibrarySearch } from '../../../../../../src/main/domains/settings/service/local/local.ts'
import { forkedProcess } from '../../../../../../src/system/own-process/fork.ts'
import { createLocalService } from '../../../../../../src/main/domains/settings/service/local/local.ts'
import type { LocalService } from '../../../../../../src/main/domains/settings/service/local/local.ts'
import { defaultAssistantId } from '../../../../../../src/shared/provider/assistants.ts'
import { workerUrl } from '../../../../../fixtures/worker-url.ts'

vi.setConfig({ testTimeout: 120_000 })

let home: string
let local: LocalService
let search: LibrarySearch
const failures: string[] = []
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lectern-library-'))
  local = createLocalService({
    home,
    modelsDir: resolve('resources/models'),
    workerUrl,
    openProcess: forkedProcess(workerUrl('own-process')),
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (message) => void failures.push(message),
    },
    onState: () => undefined,
    search: (query, limit) => search(query, limit),
  })
})
afterAll(async () => {
  await local.stop()
  await rm(home, { recursive: true, force: true })
})

const ask = async (content: string): Promise<string> => {
  const { url, key } = await local.address()
  const response = await fetch(`${url}/paas/v4/assistant`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      assistant_id: defaultAssistantId,
      model: 'gen-4-assistant',
      stream: false,
      messages: [{ role: 'user', content }],
    }),
  })
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
  return choices[0]?.message.content ?? ''
}

test('the service in its worker quotes what main finds in the Library', async () => {
  const requests: unknown[] = []
  search = async (query, limit) => {
    requests.push([query, limit])
    return [{ itemId: 'i', title: 'Monday', text: 'The rent goes up in May.' }]
  }
  expect(await ask('When does the rent go up?')).toContain(
    '“The rent goes up in May.”<reference data-ref="1"></reference> (Monday)',
  )
  expect(requests).toEqual([['When does the rent go up?', 6]])
})

test('a failing or endless search results in an answer without sources', async () => {
  search = () => Promise.reject(new Error('no index'))
  expect(await ask('When does the rent go up?')).toMatch(/There’s no material to answer this from/)
  expect(failures.some((message) => message.includes('Library search'))).toBe(true)
  search = () => new Promise(() => undefined)
  expect(await ask('When does the rent go up?')).toMatch(/There’s no material to answer this from/)
})

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startLocalService } from '../../src/local-service/server.ts'
import type { RunningLocalService } from '../../src/local-service/server.ts'
import { chat, eventsOf, question } from './fixtures/agent.ts'
import { gatedText } from './fixtures/engines.ts'
import type { GatedText } from './fixtures/engines.ts'
import { ask, dataOf, embedded, find, newBase, outcome } from './fixtures/knowledge.ts'
import { settled, upload } from './fixtures/knowledge.ts'
import type { DocumentData } from './fixtures/knowledge.ts'
import { modelsDir, workerUrls } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

const key = 'test-key.of-the-local-service'
const open = '/llm-application/open'

let home = ''
let gate: GatedText
let running: RunningLocalService

const service: Pick<TestService, 'call'> = {
  call(path, init = {}) {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${key}`)
    return fetch(`${running.url}${path}`, { ...init, headers })
  },
}

const start = async (): Promise<void> => {
  gate = gatedText()
  running = await startLocalService({
    port: 0,
    key,
    home,
    modelsDir,
    workerUrls,
    faults: true,
    engines: { text: gate.engine },
  })
}

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'lectern-knowledge-'))
  await start()
})
afterEach(async () => {
  await running.stop()
  await rm(home, { recursive: true, force: true })
})

const stateOf = async (id: string): Promise<number> =>
  (await dataOf<DocumentData>(service, 'GET', `${open}/document/${id}`)).embedding_stat

describe('embedding in the background', () => {
  test('replies to the upload first and finds nothing until the embedding is done', async () => {
    gate.close()
    const base = await newBase(service)
    const { successInfos } = await upload(service, base, [['a.txt', 'The blue door is locked.']])
    const id = successInfos[0]?.documentId ?? ''
    await expect.poll(() => gate.requests.length).toBe(1)
    expect(await stateOf(id)).toBe(0)
    expect(await find(service, base, 'blue door', { recall_method: 'keyword' })).toEqual([])
    gate.open()
    expect(await settled(service, id)).toMatchObject({ embedding_stat: 1 })
    expect(await find(service, base, 'blue door')).toHaveLength(1)
  })

  test('continues running work after a restart, and preserves what was done', async () => {
    const base = await newBase(service)
    await embedded(service, base, 'done.txt', 'The red lamp glows.')
    gate.close()
    const { successInfos } = await upload(service, base, [
      ['one.txt', 'The blue door is locked.'],
      ['two.txt', 'The green gate is open.'],
    ])
    await expect.poll(() => gate.requests.length).toBe(2)
    await running.stop()
    await start()
    for (const { documentId } of successInfos)
      expect(await settled(service, documentId)).toMatchObject({ embedding_stat: 1 })
    for (const words of ['red lamp', 'blue door', 'green gate'])
      expect((await find(service, base, words))[0]?.text).toContain(words)
  })

  test('continues a long document where it stopped, and never finds it partially', async () => {
    const base = await newBase(service)
    const text = Array.from({ length: 40 }, (_, i) => `Door ${i} is blue.`).join('\n')
    gate.closeAfter(1)
    const { successInfos } = await upload(service, base, [['long.txt', text]], {
      knowledge_type: '5',
    })
    await expect.poll(() => gate.requests.length).toBe(2)
    expect(await find(service, base, 'door 3', { recall_method: 'keyword' })).toEqual([])
    await running.stop()
    await start()
    expect(await settled(service, successInfos[0]?.documentId ?? '')).toMatchObject({
      embedding_stat: 1,
    })
    expect(gate.requests).toEqual([Array.from({ length: 8 }, (_, i) => `Door ${i + 32} is blue.`)])
    expect((await find(service, base, 'door 3', { recall_method: 'keyword' }))[0]?.text).toBe(
      'Door 3 is blue.',
    )
  })

  test('aborts the work on deletion, continues with the next document, and leaves no file', async () => {
    const base = await newBase(service)
    gate.close()
    const { successInfos } = await upload(service, base, [
      ['one.txt', 'The blue door is locked.'],
      ['two.txt', 'The green gate is open.'],
    ])
    const [one, two] = successInfos.map(({ documentId }) => documentId)
    await expect.poll(() => gate.requests.length).toBe(1)
    expect(await outcome(service, 'DELETE', `${open}/document/${one ?? ''}`)).toBe('200 200')
    await expect.poll(() => gate.aborted()).toBe(1)
    await expect.poll(() => gate.requests.length).toBe(2)
    gate.open()
    expect(await settled(service, two ?? '')).toMatchObject({ embedding_stat: 1 })
    expect(await readdir(join(home, 'knowledge'))).toHaveLength(2)
    await ask(service, 'DELETE', `${open}/knowledge/${base}`)
    expect(await readdir(join(home, 'knowledge'))).toEqual([])
  })

  test('uses the new settings when restarted while running', async () => {
    const base = await newBase(service)
    gate.close()
    const { successInfos } = await upload(service, base, [['a.md', '# Doors\n\nBlue.']])
    const id = successInfos[0]?.documentId ?? ''
    await expect.poll(() => gate.requests.length).toBe(1)
    expect(await outcome(service, 'PUT', `${open}/knowledge/${base}`, { contextual: 1 })).toBe(
      '200 200',
    )
    await expect.poll(() => gate.requests.length).toBe(2)
    expect(gate.requests).toEqual([['Doors\nBlue.'], ['a.md\nDoors\nBlue.']])
    gate.open()
    expect(await settled(service, id)).toMatchObject({ embedding_stat: 1 })
    const [found] = await find(service, base, 'doors')
    expect(found?.metadata).toMatchObject({ contextual_text: 'a.md' })
  })
})

describe('agent', () => {
  test('aborts the work of a cut answer and answers the next question', async () => {
    const base = await newBase(service)
    await embedded(service, base, 'a.txt', 'The blue door is locked after nine.')
    gate.close()
    const gone = new AbortController()
    const requestCount = gate.requests.length
    const response = await chat(service, question('When is the blue door locked?', [base]), {
      signal: gone.signal,
    })
    await expect.poll(() => gate.requests.length).toBe(requestCount + 1)
    gone.abort()
    await expect(response.text()).rejects.toThrow('abort')
    await expect.poll(() => gate.aborted()).toBe(1)
    gate.open()
    const events = await eventsOf(
      await chat(service, question('When is the blue door locked?', [base])),
    )
    expect(events.at(-1)).toMatchObject({ type: 'done', data: expect.stringContaining('nine') })
  })

  test('reports a tool failure and ends the stream with an error', async () => {
    const base = await newBase(service)
    gate.fail()
    const events = await eventsOf(await chat(service, question('Which door?', [base])))
    expect(events.slice(-2)).toMatchObject([
      { type: 'tool_result', data: { toolName: 'knowledge_retrieval', status: 'error' } },
      { type: 'error', data: { message: expect.stringContaining('npm run setup') } },
    ])
  })

  test('fails a semantic search without the engine with its code, but not a keyword search', async () => {
    const base = await newBase(service)
    gate.fail()
    const body = { query: 'door', knowledge_ids: [base] }
    const path = `${open}/knowledge/retrieve`
    expect(await outcome(service, 'POST', path, body)).toBe('400 1221')
    const byWords = { ...body, recall_method: 'keyword' }
    expect(await outcome(service, 'POST', path, byWords)).toBe('200 200')
    const { successInfos } = await upload(service, base, [['a.txt', 'A door.']])
    const failed = await settled(service, successInfos[0]?.documentId ?? '')
    expect(failed).toMatchObject({ embedding_stat: 2, failInfo: { embedding_code: 10001 } })
  })
})

import { expect } from 'vitest'
import type { RetrievalRun, RetrievalSettings } from '../../../src/shared/model/retrieval.ts'
import { eventually } from '../../fixtures/eventually.ts'
import type { TestApp } from '../../fixtures/app.ts'

let streams = 0

/** Runs an operation of the provider to its end, as a page does. */
export async function operate(
  lectern: TestApp,
  operation: string,
  input: Record<string, unknown>,
): Promise<unknown> {
  const streamId = `retrieval-bench-${(streams += 1)}`
  const started = await lectern.call('runs.start', { operation, input, streamId })
  const run = await eventually(async () => {
    const now = await lectern.call('runs.get', { id: started.id })
    if (now.state === 'running') throw new Error('it runs')
    return now
  })
  expect(run.error).toBeNull()
  return run.value
}

/** Texts of a small knowledge base: each is a document of some chunks. */
export const texts: Readonly<Record<string, string>> = {
  'trains.md':
    '# Night trains\n\nThe night train to Vienna leaves at 21:40 from platform 7.\n\n# Tickets\n\nA ticket for the night train costs 89 euro with a bed and 49 euro with a seat.\n',
  'food.md':
    '# Dumplings\n\nDumplings are boiled for six minutes in salted water.\n\n# Soup\n\nThe soup of the day costs 4 euro.\n',
  'garage.md':
    '# Parking\n\nA parking place in the garage costs 12 euro a day.\n\n# Bicycles\n\nBicycles stand in the yard behind the garage for nothing.\n',
}

/** Creates an on-device knowledge base with these texts, embedded. */
export async function makeBase(lectern: TestApp, name = 'Travel'): Promise<string> {
  const { id } = (await operate(lectern, 'knowledge.create', { name, embeddingId: 3 })) as {
    id: string
  }
  const files = []
  for (const [file, text] of Object.entries(texts)) {
    const saved = await lectern.intake(file, Buffer.from(text))
    if (!saved.ok) throw new Error(saved.error.message)
    files.push(saved.data.media.id)
  }
  await operate(lectern, 'documents.upload', { knowledgeId: id, files, knowledgeType: 1 })
  await eventually(async () => {
    const { documents } = (await operate(lectern, 'documents.list', { knowledgeId: id })) as {
      documents: readonly { state: string }[]
    }
    if (documents.length < 3 || documents.some(({ state }) => state !== 'done'))
      throw new Error('it is embedded')
  })
  return id
}

/** Returns settings with one knowledge base. */
export const settingsOf = (
  baseId: string,
  change: Partial<RetrievalSettings> = {},
): RetrievalSettings => ({
  bases: [{ id: baseId, name: 'Travel' }],
  documents: [],
  topK: 5,
  topN: 10,
  recallMethod: 'mixed',
  recallRatio: 80,
  rerank: 'both',
  rerankModel: 'rerank',
  threshold: null,
  ...change,
})

/** Resolves to the run once all questions are done. */
export const ended = (lectern: TestApp, id: string): Promise<RetrievalRun> =>
  eventually(async () => {
    const { run } = await lectern.call('retrieval.run', { id })
    if (run.state === 'running') throw new Error('it runs')
    return run
  })

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { exportDocument } from '../../../src/main/exports/document.ts'
import { factLines } from '../../../src/main/exports/documents/facts.ts'
import { factLine } from '../../../src/main/exports/text.ts'
import { infoChunk } from '../../../src/main/audio/speech-output/tags.ts'
import { localClock, localDay, localMinute } from '../../../src/shared/text/local-time.ts'
import { testApp } from '../../fixtures/app.ts'
import { runsSetup } from '../services/runs-setup.ts'
import { sourceOf } from './documents/made.ts'
import { exportSource, plainOptions } from './export-source.ts'

// Fourteen hours ahead: the day is another one than in UTC.
beforeAll(() => void vi.stubEnv('TZ', 'Pacific/Kiritimati'))
afterAll(() => void vi.unstubAllEnvs())

/** Half past noon on the 21st there. */
const at = Date.UTC(2026, 10, 20, 22, 30, 5)

test('a moment is told by the clock of this computer', () => {
  expect([localDay(at), localMinute(at), localClock(at, '.')]).toEqual([
    '2026-11-21',
    '2026-11-21 12:30',
    '12.30.05',
  ])
})

test('a meeting that is exported as text has the date of this computer', () => {
  const document = exportDocument(exportSource([], { startedAt: at }), plainOptions, 'en')
  expect(factLine(document)).toContain('2026-11-21')
})

test('the facts of a document have the time of this computer', () => {
  const source = sourceOf([])
  const versions = source.versions.map((one) => ({ ...one, createdAt: at }))
  expect(factLines({ ...source, versions }).join('\n')).toContain('2026-11-21 12:30')
})

test('a wav file of synthetic speech has the date of this computer', () => {
  const tags = { title: 'T', voice: 'V', mark: 'M', software: 'S', at }
  expect(Buffer.from(infoChunk(tags)).toString('latin1')).toContain('2026-11-21')
})

test('files of runs and archives are named by the date of this computer', async () => {
  const app = await testApp({ clock: () => at })
  const { job } = await app.call('archive.export', { verify: false })
  expect(job?.file).toBe('Lectern 2026-11-21 1230.lectern.zip')
  await app.remove()
  vi.spyOn(Date, 'now').mockReturnValue(at)
  const { store, runs } = await runsSetup()
  store.runs.create({
    id: 'run',
    accountId: 'a',
    accountName: 'A',
    operation: 'rerank.create',
    title: 'Run',
    streamId: 'stream',
    input: {},
    mediaIds: [],
    at,
  })
  const { name } = await runs.export({ of: 'operations' })
  vi.restoreAllMocks()
  expect(name).toBe(`operations-2026-11-21.json`)
})

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { exportDocument } from '../../../../../src/main/domains/audio/exports/document.ts'
import { factLines } from '../../../../../src/main/domains/documents/exports/export-facts.ts'
import { factLine } from '../../../../../src/main/domains/audio/exports/text.ts'
import { infoChunk } from '../../../../../src/main/domains/voices/worker/speech-output/tags.ts'
import { localClock, localDay, localMinute } from '../../../../../src/shared/text/local-time.ts'
import { testApp } from '../../../../fixtures/app.ts'
import { runsSetup } from '../../playground/service/runs/runs-setup.ts'
import { sourceOf } from '../../documents/exports/made.ts'
import { exportSource, plainOptions } from './export-source.ts'

// Fourteen hours ahead: the date differs from UTC.
beforeAll(() => void vi.stubEnv('TZ', 'Pacific/Kiritimati'))
afterAll(() => void vi.unstubAllEnvs())

/** 12:30 p.m. on the 21st in that time zone. */
const at = Date.UTC(2026, 10, 20, 22, 30, 5)

test('formats times in the local time zone', () => {
  expect([localDay(at), localMinute(at), localClock(at, '.')]).toEqual([
    '2026-11-21',
    '2026-11-21 12:30',
    '12.30.05',
  ])
})

test('exports a meeting as text with the local date', () => {
  const document = exportDocument(exportSource([], { startedAt: at }), plainOptions, 'en')
  expect(factLine(document)).toContain('2026-11-21')
})

test('shows the facts of a document in local time', () => {
  const source = sourceOf([])
  const versions = source.versions.map((one) => ({ ...one, createdAt: at }))
  expect(factLines({ ...source, versions }).join('\n')).toContain('2026-11-21 12:30')
})

test('gives a WAV file of synthetic speech the local date', () => {
  const tags = { title: 'T', voice: 'V', mark: 'M', software: 'S', at }
  expect(Buffer.from(infoChunk(tags)).toString('latin1')).toContain('2026-11-21')
})

test('names files of runs and archives by the local date', async () => {
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

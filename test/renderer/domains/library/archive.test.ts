import { expect, test } from 'vitest'
import { useArchive } from '../../../../src/renderer/src/domains/library/archive/archive-store.ts'
import type { ArchiveJob } from '../../../../src/shared/model/archive.ts'
import { rendererSetup } from '../../stores.ts'

test('requests no second archive while one is written', async () => {
  const { main, run } = rendererSetup()
  const job = { id: 'a', what: 'export', state: 'running', written: null } as ArchiveJob
  main.answer('archive.export', () => ({ job, dialogs: false }))
  const archive = run(useArchive)
  await archive.write(['one'])
  await archive.write(['two'])
  expect(main.requests).toMatchObject([{ route: 'archive.export', payload: { ids: ['one'] } }])
})

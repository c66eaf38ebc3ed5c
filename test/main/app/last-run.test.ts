import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testApp } from '../../fixtures/app.ts'

test('reports a killed last run as not closed, and nothing after a closed one', async () => {
  const home = await mkdtemp(join(tmpdir(), 'lectern-last-run-'))
  const mark = join(home, 'running.json')
  const first = await testApp({ home })
  expect((await first.call('app.info', {})).lastRun).toBeNull()
  // As a kill leaves it.
  await copyFile(mark, `${mark}.kept`)
  await first.stop()
  await copyFile(`${mark}.kept`, mark)
  const second = await testApp({ home })
  expect((await second.call('app.info', {})).lastRun).toMatchObject({ work: [] })
  expect(second.logLines.join('\n')).toContain('the previous run did not exit cleanly')
  await second.stop()
  const third = await testApp({ home })
  expect((await third.call('app.info', {})).lastRun).toBeNull()
  expect(third.logLines.join('\n')).not.toContain('did not exit cleanly')
  await third.remove()
})

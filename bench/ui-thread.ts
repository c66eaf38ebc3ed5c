import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillLibrary } from '../test/fixtures/full-library.ts'
import { randomFrom } from '../test/fixtures/random.ts'
import { longMp3, spokenMp3 } from './meeting-3h/long-sound.ts'
import { layoutService } from './pdf-600/documents.ts'
import { longPdf } from './pdf-600/long-pdf.ts'
import { against, alone, measured, type Bench, type Row } from './row.ts'
import type { Figures, Order } from './ui-thread/subject.ts'

const hours = 1
const pages = 200
/** Number of items of each of seven types in the library that is searched and exported. */
const each = 400
const frameMs = 16

/**
 * Measures task durations on Electron's UI thread while a meeting is imported, a document parsed, an archive exported and a
 * search typed: with the core in a separate process, compared with the same jobs in a single process.
 */
export const bench: Bench = {
  name: 'ui-thread',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-ui-thread-'))
    const service = await layoutService()
    try {
      if (!existsSync('out/main/core.js')) throw new Error('run npm run build first')
      const audio = longMp3(await spokenMp3(folder), hours, join(folder, 'meeting.mp3'))
      const pdf = join(folder, 'long.pdf')
      writeFileSync(pdf, await longPdf(pages))
      const figures = async (processes: Order['processes']): Promise<Figures> => {
        const home = join(folder, processes)
        fillLibrary({ home, random: randomFrom(1), each, bytes: 2000 })
        return inFreshProcess({
          processes,
          home,
          folder,
          service: { url: service.url, key: service.key },
          audio,
          pdf,
        })
      }
      const one = await figures('one')
      const two = await figures('two')
      return measured(
        (['meeting', 'document', 'archive', 'search'] as const).flatMap((job) =>
          rowsOf(job, one, two),
        ),
      )
    } finally {
      await service.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
}

const jobs = {
  meeting: `meeting of ${hours} h imported`,
  document: `document of ${pages} pages parsed`,
  archive: 'archive exported',
  search: 'search typed',
} as const

function rowsOf(job: keyof typeof jobs, one: Figures, two: Figures): readonly Row[] {
  const name = jobs[job]
  return [
    against(
      { name: `UI thread's longest task: ${name}`, figure: two[job].longest, unit: 'ms' },
      'in one process',
      one[job].longest,
    ),
    against(
      { name: `UI thread's longest task: ${name}`, figure: two[job].longest, unit: 'ms' },
      'a frame',
      frameMs,
    ),
    against(
      { name: `UI thread's tasks, 99th percentile: ${name}`, figure: two[job].p99, unit: 'ms' },
      'in one process',
      one[job].p99,
    ),
    alone({
      name: `frames missed in one process: ${name}`,
      figure: one[job].missed,
      unit: 'times',
    }),
    alone({ name: `frames missed: ${name}`, figure: two[job].missed, unit: 'times' }),
  ]
}

async function inFreshProcess(order: Order): Promise<Figures> {
  const child = fork(fileURLToPath(new URL('./ui-thread/subject.ts', import.meta.url)))
  const exit = once(child, 'exit')
  const answer = once(child, 'message')
  child.send(order)
  const figures = await Promise.race([
    answer.then(([message]) => message as Figures),
    exit.then(([code]) => Promise.reject(new Error(`the subject ended with ${String(code)}`))),
  ])
  await exit
  return figures
}

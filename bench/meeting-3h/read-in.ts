import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { against, median, type Row } from '../row.ts'
import { ffmpegTimes, longMp3 } from './long-sound.ts'
import type { ReadInFigures, ReadInOrder } from './read-in-subject.ts'

/** Number of imports of the file, alternating with ffmpeg. */
const runs = 3

const memoryBudgetMb = 150

/** Runs in a new process, so that memory starts clean. */
async function inFreshProcess(order: ReadInOrder): Promise<ReadInFigures> {
  const child = fork(fileURLToPath(new URL('./read-in-subject.ts', import.meta.url)), {
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  const exit = once(child, 'exit')
  const answer = once(child, 'message')
  child.send(order)
  const figures = await Promise.race([
    answer.then(([message]) => message as ReadInFigures),
    exit.then(([code]) => Promise.reject(new Error(`the subject ended with ${String(code)}`))),
  ])
  await exit
  return figures
}

/**
 * Imports an mp3 of the given number of hours into a session with its peaks, compared with native ffmpeg, and one of twice that
 * length for its memory. Leaves the file and the session `read` in the folder.
 */
export async function readInRows(folder: string, spoken: string, hours: number): Promise<Row[]> {
  const path = longMp3(spoken, hours, join(folder, 'long.mp3'))
  const native = { decode: [] as number[], same: [] as number[] }
  const ours: ReadInFigures[] = []
  for (let run = 0; run < runs; run++) {
    const times = await ffmpegTimes(path, join(folder, 'native.wav'))
    native.decode.push(times.decode)
    native.same.push(times.same)
    const figures = await inFreshProcess({ path, home: folder, id: 'read' })
    if (Math.abs(figures.durationMs - hours * 3_600_000) > 1000 * hours)
      throw new Error(`${hours} h became ${figures.durationMs} ms`)
    ours.push(figures)
  }
  rmSync(join(folder, 'native.wav'))
  const longer = longMp3(spoken, 2 * hours, join(folder, 'longer.mp3'))
  const twice = await inFreshProcess({ path: longer, home: folder, id: 'twice' })
  rmSync(longer)
  rmSync(join(folder, 'twice'), { recursive: true })

  const speed = (times: readonly number[]): number => (hours * 3_600_000) / median(times)
  const figure = speed(ours.map(({ ms }) => ms))
  const read = {
    name: `${hours} h MP3 import: 16 kHz audio and peaks`,
    figure,
    unit: 'x real time',
  }
  return [
    against(read, 'native ffmpeg to a wav of 16 kHz', speed(native.same)),
    against(read, 'native ffmpeg, decoding alone', speed(native.decode)),
    against(
      {
        name: `memory added, ${hours} h`,
        figure: median(ours.map(({ growthMb }) => growthMb)),
        unit: 'MB',
      },
      'budget',
      memoryBudgetMb,
    ),
    against(
      { name: `memory added, ${2 * hours} h`, figure: twice.growthMb, unit: 'MB' },
      'budget',
      memoryBudgetMb,
    ),
  ]
}

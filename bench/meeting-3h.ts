import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lifeRows } from './meeting-3h/life.ts'
import { spokenMp3 } from './meeting-3h/long-sound.ts'
import { readInRows } from './meeting-3h/read-in.ts'
import { segmentRows } from './meeting-3h/segments.ts'
import type { Bench, Row } from './row.ts'

/** Length of the meeting in hours. */
const hours = 3

/** Parts to measure, in this order; each creates its own input. */
type Part = 'sound' | 'life'

/**
 * Measures a meeting of several hours: mp3 import compared with native ffmpeg, segment detection compared with plain Silero,
 * main's pauses meanwhile, audio seeking and the view. Needs ffmpeg and espeak-ng, and 4 GB of disk space while it runs.
 */
export async function measureMeeting(
  length = hours,
  parts: readonly Part[] = ['sound', 'life'],
): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-meeting-'))
  try {
    const spoken = await spokenMp3(folder)
    const rows: Row[] = []
    if (parts.includes('sound')) {
      rows.push(...(await readInRows(folder, spoken, length)))
      rows.push(...(await segmentRows(join(folder, 'read'), length)))
    }
    if (parts.includes('life')) rows.push(...(await lifeRows(folder, spoken, length)))
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const bench: Bench = { name: 'meeting-3h', run: () => measureMeeting() }

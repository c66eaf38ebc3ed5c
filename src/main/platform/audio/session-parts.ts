import { readdirSync, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { waveHeaderBytes } from '../../../shared/audio/wave-header.ts'
import { sessionFiles } from './session-files.ts'

/** Part of a session on disk. Its length is the actual one of the file, whatever its header specifies. */
export interface Part {
  readonly number: number
  readonly path: string
  /** First frame of the session in the part. */
  readonly frame: number
  /** Number of whole frames in the part. */
  readonly frames: number
}

/** Number and size of a part. */
export interface PartFile {
  readonly number: number
  readonly bytes: number
}

/** Returns the number of whole frames in a part of this many bytes. */
export const framesIn = (bytes: number, frameBytes: number): number =>
  Math.max(0, Math.floor((bytes - waveHeaderBytes) / frameBytes))

/** Returns the part numbers among the names of a folder, in order. */
export function partNumbers(names: readonly string[]): number[] {
  return names
    .flatMap((name) => /^part-(\d{4}|[1-9]\d{4,8})\.wav$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
}

/** Places parts one after the other on the session's timeline. */
function layOut(folder: string, files: readonly PartFile[], frameBytes: number): Part[] {
  const { part } = sessionFiles(folder)
  let frame = 0
  return files.map(({ number, bytes }) => {
    const frames = framesIn(bytes, frameBytes)
    const placed = { number, path: part(number), frame, frames }
    frame += frames
    return placed
  })
}

/** Returns the current parts of a session. */
export function listParts(folder: string, frameBytes: number): Part[] {
  const { part } = sessionFiles(folder)
  const files = partNumbers(readdirSync(folder)).map((number) => ({
    number,
    bytes: statSync(part(number)).size,
  }))
  return layOut(folder, files, frameBytes)
}

/** Returns the current parts without blocking the thread. */
export async function listPartsSoon(folder: string, frameBytes: number): Promise<Part[]> {
  const { part } = sessionFiles(folder)
  const numbers = partNumbers(await readdir(folder))
  const files = await Promise.all(
    numbers.map(async (number) => ({ number, bytes: (await stat(part(number))).size })),
  )
  return layOut(folder, files, frameBytes)
}

export const totalFrames = (parts: readonly Part[]): number => {
  const last = parts.at(-1)
  return last ? last.frame + last.frames : 0
}

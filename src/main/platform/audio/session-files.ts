import { basename, join } from 'node:path'
import type { CaptureEvent, ChannelRole } from '../../../shared/model/meeting.ts'
import { closeSync, openSync, readFileSync, readSync, readdirSync, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { AppError } from '../../errors.ts'
import { writeFileWhole } from '../../../system/file-moves.ts'
import {
  readWaveHeader,
  type WaveLayout,
  waveHeaderBytes,
} from '../../../shared/audio/wave-header.ts'

/**
 * Files of a meeting's audio, one folder each below `home/meetings/<id>`. The folder alone is enough to play and to repair a
 * meeting: no database, no model, no network. Samples are 16-bit little-endian, channels interleaved, in WAV parts of ten
 * minutes.
 */
interface SessionFiles {
  readonly folder: string
  /** {@link SessionHead}, written in full and renamed into place. */
  readonly head: string
  /** {@link JournalEntry}, one JSON object per line, append-only. */
  readonly journal: string
  /** Peaks in audiowaveform's version 2 format: int8 minimum and maximum of each channel, 20 pairs per second. */
  readonly peaks: string
  /** Returns the path of a part; numbers begin at 1. */
  part(number: number): string
}

/** Facts known before the first sample. */
export interface SessionHead {
  readonly version: 1
  readonly id: string
  readonly title: string
  readonly state: 'open' | 'closed'
  readonly roles: readonly ChannelRole[]
  readonly sampleRate: number
  readonly labels: readonly string[]
  /** Unix ms. */
  readonly startedAt: number
  /** Process that writes; a session whose owner is gone is repaired at the next start. */
  readonly owner: { readonly pid: number; readonly run: string }
  /** Frames of the whole session, once it is closed. */
  readonly frames: number | null
}

/** Line of the journal. `part` begins a part; `mark` is written about once a second with the durable state. */
export type JournalEntry =
  | { readonly t: 'part'; readonly number: number; readonly frame: number; readonly at: number }
  | { readonly t: 'mark'; readonly frame: number; readonly crc: number; readonly at: number }
  | { readonly t: 'event'; readonly event: CaptureEvent; readonly at: number }
  | {
      readonly t: 'repaired'
      readonly frame: number
      readonly lostBytes: number
      readonly at: number
    }
  | { readonly t: 'closed'; readonly frame: number; readonly at: number }

/** Pairs of minimum and maximum per second and channel in the peaks file. */
export const peaksPerSecond = 20
/** Length of a part in seconds. */
export const partSeconds = 600

/** Run that owns a session into which a file is imported: restarted after an interruption, never repaired. */
export const importRun = 'import'

export function sessionFiles(folder: string): SessionFiles {
  return {
    folder,
    head: join(folder, 'session.json'),
    journal: join(folder, 'journal.ndjson'),
    peaks: join(folder, 'peaks.dat'),
    part: (number) => join(folder, `part-${String(number).padStart(4, '0')}.wav`),
  }
}

/** Pattern of meeting IDs before they become part of a path: no dots, no separators. */
export const sessionIdPattern = /^[A-Za-z0-9_-]{1,64}$/

/** Returns the folder that contains every session. */
export const sessionsFolder = (home: string): string => join(home, 'meetings')

/** Returns the folder of a meeting's audio. Throws NOT_FOUND for an invalid ID, so that no ID leads out of the folder. */
export function sessionFolder(home: string, id: string): string {
  if (!sessionIdPattern.test(id)) throw new AppError('NOT_FOUND', 'Meeting not found')
  return join(sessionsFolder(home), id)
}

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
interface PartSize {
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
function layOut(folder: string, files: readonly PartSize[], frameBytes: number): Part[] {
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

const channelRoles: readonly ChannelRole[] = ['mic', 'others', 'left', 'right', 'mono']

/** Bounds of a valid head: a damaged one beyond them is rebuilt from the audio instead of trusted. */
const headBounds = { channels: 2, sampleRate: 192_000, latest: 8_640_000_000_000_000 } as const

/** Maximum bytes of a head that is read; Lectern writes less than a thousand. */
export const maxHeadBytes = 64 * 1024

/** Reads and validates a session's head; null if it is missing or damaged. */
export function readHead(folder: string): SessionHead | null {
  const { head } = sessionFiles(folder)
  try {
    return statSync(head).size > maxHeadBytes ? null : parseHead(readFileSync(head, 'utf8'))
  } catch {
    return null
  }
}

/** Parses a head; null if a value is invalid. */
export function parseHead(text: string): SessionHead | null {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return null
  }
  return isHead(read) ? read : null
}

/** Rebuilds a head from the first available audio, for a folder that lost its own; null without any audio. */
export function headFromAudio(folder: string): SessionHead | null {
  const { part } = sessionFiles(folder)
  for (const number of partNumbers(readdirSync(folder))) {
    const layout = layoutOf(part(number))
    if (
      !layout ||
      layout.channels > headBounds.channels ||
      layout.sampleRate > headBounds.sampleRate
    )
      continue
    const { birthtimeMs, mtimeMs } = statSync(part(number))
    return {
      version: 1,
      id: basename(folder),
      title: '',
      state: 'open',
      roles: rolesFor(layout.channels),
      sampleRate: layout.sampleRate,
      labels: [],
      startedAt: Math.round(birthtimeMs || mtimeMs),
      owner: { pid: 0, run: '' },
      frames: null,
    }
  }
  return null
}

/** A single channel is the microphone. */
const rolesFor = (channels: number): ChannelRole[] => (channels === 1 ? ['mic'] : ['mic', 'others'])

function layoutOf(path: string): WaveLayout | null {
  const file = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(waveHeaderBytes)
    return readSync(file, bytes, 0, bytes.length, 0) === bytes.length ? readWaveHeader(bytes) : null
  } finally {
    closeSync(file)
  }
}

function isHead(read: unknown): read is SessionHead {
  if (typeof read !== 'object' || read === null) return false
  const head: Partial<Record<keyof SessionHead, unknown>> = read
  return (
    head.version === 1 &&
    typeof head.id === 'string' &&
    typeof head.title === 'string' &&
    (head.state === 'open' || head.state === 'closed') &&
    Array.isArray(head.roles) &&
    head.roles.length > 0 &&
    head.roles.length <= headBounds.channels &&
    head.roles.every((role) => channelRoles.includes(role)) &&
    isCount(head.sampleRate) &&
    head.sampleRate > 0 &&
    head.sampleRate <= headBounds.sampleRate &&
    Array.isArray(head.labels) &&
    head.labels.every((label) => typeof label === 'string') &&
    isCount(head.startedAt) &&
    head.startedAt <= headBounds.latest &&
    isOwner(head.owner) &&
    (head.frames === null || isCount(head.frames))
  )
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const isOwner = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'pid' in value &&
  isCount(value.pid) &&
  'run' in value &&
  typeof value.run === 'string'

/** Writes a session's head atomically: a crash leaves this one or the previous one. */
export function writeHead(folder: string, head: SessionHead): void {
  writeFileWhole(sessionFiles(folder).head, `${JSON.stringify(head)}\n`)
}

import { closeSync, openSync, readFileSync, readSync, readdirSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { ChannelRole } from '../../../shared/model/meeting.ts'
import { writeFileWhole } from '../../../system/file-moves.ts'
import { sessionFiles, type SessionHead } from './session-files.ts'
import { partNumbers } from './session-parts.ts'
import {
  readWaveHeader,
  type WaveLayout,
  waveHeaderBytes,
} from '../../../shared/audio/wave-header.ts'

const roles: readonly ChannelRole[] = ['mic', 'others', 'left', 'right', 'mono']

/** Bounds of a valid head: a damaged one beyond them is rebuilt from the audio instead of trusted. */
const bounds = { channels: 2, sampleRate: 192_000, latest: 8_640_000_000_000_000 } as const

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
    if (!layout || layout.channels > bounds.channels || layout.sampleRate > bounds.sampleRate)
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
    head.roles.length <= bounds.channels &&
    head.roles.every((role) => roles.includes(role)) &&
    isCount(head.sampleRate) &&
    head.sampleRate > 0 &&
    head.sampleRate <= bounds.sampleRate &&
    Array.isArray(head.labels) &&
    head.labels.every((label) => typeof label === 'string') &&
    isCount(head.startedAt) &&
    head.startedAt <= bounds.latest &&
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

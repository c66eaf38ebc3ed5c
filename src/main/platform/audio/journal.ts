import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import type { CaptureEvent, Gap } from '../../../shared/model/meeting.ts'
import { writeAll, type Disk } from './disk.ts'
import { sessionFiles, type JournalEntry } from './session-files.ts'

/** Journal of a session, open for appending. */
export interface Journal {
  /** Appends whole lines only: if the disk is full, the partial line is removed and the error is rethrown. */
  append(entry: JournalEntry): void
  sync(): void
  close(): void
}

/** Opens the journal at its end; creates it if there is none. */
export function openJournal(folder: string, disk: Disk): Journal {
  const { journal: path } = sessionFiles(folder)
  // Not in append mode, where the system would ignore the write offset.
  const file = openSync(path, 'a+', 0o600)
  closeSync(file)
  const held = openSync(path, 'r+')
  let end = fstatSync(held).size
  return {
    append(entry) {
      const line = Buffer.from(`${JSON.stringify(entry)}\n`)
      try {
        writeAll(disk, held, line, end)
      } catch (error) {
        ftruncateSync(held, end)
        throw error
      }
      end += line.length
    },
    sync: () => fdatasyncSync(held),
    close: () => closeSync(held),
  }
}

/** Content of a journal; `goodBytes` ends after the last readable line, and the rest is torn. */
interface JournalText {
  readonly entries: readonly JournalEntry[]
  readonly goodBytes: number
  readonly torn: Uint8Array
}

/** Reads a journal; a missing one is empty. Invalid lines in the middle are skipped. */
export function readJournal(folder: string): JournalText {
  let bytes: Buffer
  try {
    bytes = readFileSync(sessionFiles(folder).journal)
  } catch {
    bytes = Buffer.alloc(0)
  }
  const entries: JournalEntry[] = []
  let goodBytes = 0
  let at = 0
  for (;;) {
    const end = bytes.indexOf(10, at)
    if (end === -1) break
    const entry = parseEntry(bytes.toString('utf8', at, end))
    at = end + 1
    if (!entry) continue
    entries.push(entry)
    goodBytes = at
  }
  return { entries, goodBytes, torn: bytes.subarray(goodBytes) }
}

function parseEntry(line: string): JournalEntry | null {
  try {
    const read: unknown = JSON.parse(line)
    return isEntry(read) ? read : null
  } catch {
    return null
  }
}

function isEntry(read: unknown): read is JournalEntry {
  if (typeof read !== 'object' || read === null || !('t' in read) || !hasNumbers(read, 'at'))
    return false
  switch (read.t) {
    case 'part':
      return hasNumbers(read, 'number', 'frame')
    case 'mark':
      return hasNumbers(read, 'frame', 'crc')
    case 'repaired':
      return hasNumbers(read, 'frame', 'lostBytes')
    case 'closed':
      return hasNumbers(read, 'frame')
    case 'event':
      return 'event' in read && isEvent(read.event)
    default:
      return false
  }
}

/** Whether a value is an event, which goes into the library: an invalid one from a damaged disk is skipped. */
function isEvent(read: unknown): read is CaptureEvent {
  if (typeof read !== 'object' || read === null || !hasNumbers(read, 'atMs')) return false
  const { type, channel, label, reason }: Partial<Record<string, unknown>> = { ...read }
  switch (type) {
    case 'paused':
    case 'resumed':
      return true
    case 'silent':
    case 'zeros':
    case 'sound':
      return isChannel(channel)
    case 'device':
      return isChannel(channel) && typeof label === 'string'
    case 'gap':
      return (
        hasNumbers(read, 'endMs') &&
        (channel === null || isChannel(channel)) &&
        reasons.some((each) => each === reason)
      )
    default:
      return false
  }
}

const reasons: readonly Gap['reason'][] = ['device', 'suspended', 'overload', 'lost', 'muted']

const isChannel = (value: unknown): boolean => value === 0 || value === 1

/** Whether the fields are whole numbers: counts of frames, bytes and milliseconds. */
const hasNumbers = (read: object, ...names: readonly string[]): boolean =>
  names.every((name) => {
    const value: unknown = Reflect.get(read, name)
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  })

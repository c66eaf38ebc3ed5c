import {
  appendFileSync,
  truncateSync,
  existsSync,
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readdirSync,
  readSync,
} from 'node:fs'
import { crc32 } from 'node:zlib'
import { wholeMs, type CaptureEvent } from '../../../../shared/model/meeting.ts'
import { isNoSpace, systemDisk, type Disk, writeAll } from '../../../platform/audio/disk.ts'
import { openJournal, readJournal } from '../../../platform/audio/journal.ts'
import { openPeaks, pairsIn } from '../../../platform/audio/peaks-file.ts'
import { framesPerPair } from '../../../platform/audio/peaks.ts'
import {
  type JournalEntry,
  type SessionHead,
  framesIn,
  headFromAudio,
  partNumbers,
  partSeconds,
  readHead,
  sessionFiles,
  writeHead,
} from '../../../platform/audio/session-files.ts'
import { eventsIn, gapsOf, type FoundGap } from '../../../platform/audio/session-gaps.ts'
import { openSession, type SessionReader } from '../../../platform/audio/session-reader.ts'
import {
  frameBytesOf,
  waveHeader,
  type WaveLayout,
  waveHeaderBytes,
} from '../../../../shared/audio/wave-header.ts'

/** Information in a session's folder. */
export interface SessionSummary {
  readonly head: SessionHead
  readonly frames: number
  readonly durationMs: number
  readonly events: readonly CaptureEvent[]
  readonly gaps: readonly FoundGap[]
  /** Bytes after the last whole frames that repairs removed. */
  readonly lostBytes: number
}

/** Options of a repair. */
interface RepairOptions {
  /** Unix ms. */
  now(): number
  readonly disk?: Disk
}

/** Seconds at the end of the peaks that a crash may have left wrong; they are rebuilt from the audio. */
const doubtfulSeconds = 60

/**
 * Repairs a session that was left open, from its folder alone. Idempotent, even if interrupted itself; removes nothing but the
 * bytes of half a frame, and saves a torn end of the journal in a separate file. Leaves a closed session as it is. Returns null
 * if the folder contains no session. The caller must know whether it is still being written.
 */
export function repairSession(folder: string, options: RepairOptions): SessionSummary | null {
  const { now, disk = systemDisk } = options
  const head = headIn(folder)
  if (!head) return null
  if (head.state === 'closed') return summary(folder, head)
  const { entries } = readJournal(folder)
  const repaired = repairParts(folder, layoutOf(head), entries, disk)
  try {
    writeDown(folder, head, entries, repaired, { now, disk })
  } catch (error) {
    // The audio needed no space and is complete. The rest is done at a start with enough space.
    if (!isNoSpace(error)) throw error
  }
  return describeSession(folder)
}

/** Saves all data about the audio: detected gaps, peaks, its end, and that it is closed. */
function writeDown(
  folder: string,
  head: SessionHead,
  entries: readonly JournalEntry[],
  { filled, lostBytes }: RepairedParts,
  { now, disk }: Required<RepairOptions>,
): void {
  saveTornEnd(folder)
  if (!readHead(folder)) writeHead(folder, head)
  const session = openSession(folder)
  const journal = openJournal(folder, disk)
  try {
    const frames = session.frames()
    const known = new Set(eventsIn(entries).map((event) => JSON.stringify(event)))
    for (const range of [...filled, ...damagedRanges(entries, session)]) {
      const event = gapAt(range, head.sampleRate)
      if (!known.has(JSON.stringify(event))) journal.append({ t: 'event', event, at: now() })
    }
    const perPair = framesPerPair(head.sampleRate)
    const sure = Math.floor((frames - doubtfulSeconds * head.sampleRate) / perPair)
    const pairs = Math.max(0, Math.min(sure, pairsIn(folder, session.channels)))
    const peaks = openPeaks(folder, layoutOf(head), disk, { pairs, session })
    peaks.finish()
    peaks.close()
    journal.append({ t: 'repaired', frame: frames, lostBytes, at: now() })
    journal.sync()
    writeHead(folder, { ...head, state: 'closed', frames })
  } finally {
    journal.close()
    session.close()
  }
}

/** Describes the current content of a session's folder; null if there is no session. */
export function describeSession(folder: string): SessionSummary | null {
  const head = headIn(folder)
  return head && summary(folder, head)
}

function summary(folder: string, head: SessionHead): SessionSummary {
  const session = openSession(folder)
  const frames = session.frames()
  session.close()
  const { entries } = readJournal(folder)
  const durationMs = wholeMs(frames, head.sampleRate)
  const events = eventsIn(entries)
  return {
    head,
    frames,
    durationMs,
    events,
    gaps: gapsOf(events, durationMs),
    lostBytes: entries.reduce((sum, each) => sum + lostIn(each), 0),
  }
}

const lostIn = (entry: JournalEntry): number => (entry.t === 'repaired' ? entry.lostBytes : 0)

const layoutOf = (head: SessionHead) => ({
  channels: head.roles.length,
  sampleRate: head.sampleRate,
})

function headIn(folder: string): SessionHead | null {
  if (!existsSync(folder)) return null
  return readHead(folder) ?? headFromAudio(folder)
}

function gapAt({ from, to }: Span, sampleRate: number): CaptureEvent {
  const atMs = wholeMs(from, sampleRate)
  return { type: 'gap', atMs, endMs: wholeMs(to, sampleRate), channel: null, reason: 'lost' }
}

/** Saves a torn end of the journal: an incomplete line would swallow the next one written. */
function saveTornEnd(folder: string): void {
  const { journal } = sessionFiles(folder)
  const { torn, goodBytes } = readJournal(folder)
  if (torn.length === 0) return
  appendFileSync(`${journal}.torn`, torn, { mode: 0o600 })
  truncateSync(journal, goodBytes)
}

/** Range in frames. */
interface Span {
  readonly from: number
  readonly to: number
}

/** Number of marks checked: about two minutes of audio. Older audio was flushed many times before a power failure. */
const newestMarks = 120

/** Returns ranges of the newest audio whose bytes differ from those written: the disk lost data it reported as saved. */
function damagedRanges(entries: readonly JournalEntry[], session: SessionReader): readonly Span[] {
  const frames = session.frames()
  return markedRanges(entries)
    .slice(-newestMarks)
    .filter(({ from, to, crc }) => to <= frames && crcOf(session, from, to) !== crc)
    .map(({ from, to }) => ({ from, to }))
}

/** Each mark's checksum counts from the previous mark, or from where a repair or an end left the audio. */
function markedRanges(entries: readonly JournalEntry[]): (Span & { crc: number })[] {
  let marks: (Span & { crc: number })[] = []
  let from = 0
  for (const entry of entries) {
    if (entry.t === 'mark') {
      if (entry.frame > from) marks.push({ from, to: entry.frame, crc: entry.crc })
      from = entry.frame
    }
    if (entry.t === 'repaired' || entry.t === 'closed') {
      // Audio marked after a repaired end is gone, and other audio may be there now.
      marks = marks.filter((mark) => mark.to <= entry.frame)
      from = entry.frame
    }
  }
  return marks
}

function crcOf(session: SessionReader, from: number, to: number): number {
  const step = 1 << 16
  const buffer = new Int16Array(step * session.channels)
  let crc = 0
  for (let at = from; at < to; at += step) {
    const samples = session.read(at, Math.min(step, to - at), buffer)
    crc = crc32(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), crc)
  }
  return crc
}

/** Result of repairing the parts. */
interface RepairedParts {
  /** Bytes after the last whole frame of a part; they contained no complete sample. */
  readonly lostBytes: number
  /** Ranges in frames where a part was shorter than the journal recorded; they are silent now. */
  readonly filled: readonly { readonly from: number; readonly to: number }[]
}

/**
 * Makes every part a valid WAV file: whole frames, actual sizes in the header. A part that ends before the next one begins is
 * padded with silence, so that everything after it keeps its time. Files keep their modification time.
 */
function repairParts(
  folder: string,
  layout: WaveLayout,
  entries: readonly JournalEntry[],
  disk: Disk,
): RepairedParts {
  const { part } = sessionFiles(folder)
  const begins = new Map(
    entries.flatMap((entry) => (entry.t === 'part' ? [[entry.number, entry.frame] as const] : [])),
  )
  const numbers = partNumbers(readdirSync(folder))
  const filled: { from: number; to: number }[] = []
  let lostBytes = 0
  let frame = 0
  for (const [i, number] of numbers.entries()) {
    const next = numbers[i + 1]
    const expectedFrames = ((next === undefined ? undefined : begins.get(next)) ?? 0) - frame
    // No part is longer than that: a larger number is damage, and would be padded with years of silence.
    const minFrames = expectedFrames <= partSeconds * layout.sampleRate ? expectedFrames : 0
    const repaired = repairPart(part(number), layout, disk, minFrames)
    lostBytes += repaired.lostBytes
    const end = frame + repaired.frames
    if (repaired.frames > repaired.found) filled.push({ from: frame + repaired.found, to: end })
    frame = end
  }
  return { lostBytes, filled }
}

/** Repairs one part, which must have at least this many frames. */
function repairPart(path: string, layout: WaveLayout, disk: Disk, minFrames: number) {
  const frameBytes = frameBytesOf(layout)
  const file = openSync(path, 'r+')
  try {
    const { size, atime, mtime } = fstatSync(file)
    const found = framesIn(size, frameBytes)
    const frames = Math.max(found, minFrames)
    const header = waveHeader(layout, frames * frameBytes)
    const wholeSize = waveHeaderBytes + frames * frameBytes
    const before = new Uint8Array(waveHeaderBytes)
    const read = readSync(file, before, 0, before.length, 0)
    if (size !== wholeSize || read < before.length || Buffer.compare(before, header) !== 0) {
      if (size > wholeSize || frames > found) ftruncateSync(file, wholeSize)
      writeAll(disk, file, header, 0)
      fdatasyncSync(file)
      futimesSync(file, atime, mtime)
    }
    const lostBytes = Math.max(0, size - waveHeaderBytes - found * frameBytes)
    return { found, frames, lostBytes }
  } finally {
    closeSync(file)
  }
}

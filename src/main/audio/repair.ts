import { appendFileSync, truncateSync, existsSync } from 'node:fs'
import { wholeMs, type CaptureEvent } from '../../shared/model/meeting.ts'
import { damagedRanges, type Span } from './check-marks.ts'
import { isNoSpace, systemDisk, type Disk } from './disk.ts'
import { openJournal, readJournal } from './journal.ts'
import { framesPerPair } from './peaks.ts'
import { openPeaks, pairsIn } from './peaks-file.ts'
import { repairParts, type RepairedParts } from './repair-parts.ts'
import { sessionFiles, type JournalEntry, type SessionHead } from './session-files.ts'
import { eventsIn, gapsOf, type FoundGap } from './session-gaps.ts'
import { headFromAudio, readHead, writeHead } from './session-head.ts'
import { openSession } from './session-reader.ts'

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
export interface RepairOptions {
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

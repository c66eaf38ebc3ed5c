import { crc32 } from 'node:zlib'
import type { JournalEntry } from './session-files.ts'
import type { SessionReader } from './session-reader.ts'

/** Range in frames. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Number of marks checked: about two minutes of audio. Older audio was flushed many times before a power failure. */
const newestMarks = 120

/** Returns ranges of the newest audio whose bytes differ from those written: the disk lost data it reported as saved. */
export function damagedRanges(
  entries: readonly JournalEntry[],
  session: SessionReader,
): readonly Span[] {
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

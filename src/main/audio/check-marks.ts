import { crc32 } from 'node:zlib'
import type { JournalEntry } from './session-files.ts'
import type { SessionReader } from './session-reader.ts'

/** A stretch in frames. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Marks that are looked at: about two minutes of sound. What is older was flushed many times over when the power went. */
const newestMarks = 120

/** Stretches of the newest sound whose bytes are not those that were written: a disk that lost what it said it kept. */
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

/** Each mark's sum counts from the mark before it, or from where a repair or an end left the sound. */
function markedRanges(entries: readonly JournalEntry[]): (Span & { crc: number })[] {
  let marks: (Span & { crc: number })[] = []
  let from = 0
  for (const entry of entries) {
    if (entry.t === 'mark') {
      if (entry.frame > from) marks.push({ from, to: entry.frame, crc: entry.crc })
      from = entry.frame
    }
    if (entry.t === 'repaired' || entry.t === 'closed') {
      // What was marked behind a repaired end is gone, and other sound may stand there now.
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

import { fstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removal } from '../../../../../src/system/file-moves.ts'
import { systemDisk, type Disk } from '../../../../../src/main/platform/audio/disk.ts'
import type { SessionHead } from '../../../../../src/main/platform/audio/session-files.ts'

/** Creates a temporary folder for a test. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'lectern-sound-'))
  return { path, remove: () => rmSync(path, removal) }
}

/** Returns the header of a session with two channels. */
export const headOf = (changes: Partial<SessionHead> = {}): SessionHead => ({
  version: 1,
  id: 'm1',
  title: 'Weekly',
  state: 'open',
  roles: ['mic', 'others'],
  sampleRate: 8000,
  labels: ['Built-in', 'System'],
  startedAt: 1_700_000_000_000,
  owner: { pid: 1, run: 'run-1' },
  frames: null,
  ...changes,
})

/** Returns the sample of a channel at a frame: no two ranges are alike, so lost or moved audio is detected. */
export const sampleAt = (frame: number, channel: number): number =>
  ((Math.imul(frame + 1, 2_654_435_761) >>> (channel === 0 ? 16 : 8)) & 0xffff) - 32_768

/** Returns frames of that signal as interleaved bytes. */
export function signal(from: number, count: number, channels = 2): Uint8Array {
  const samples = new Int16Array(count * channels)
  for (let i = 0; i < samples.length; i++)
    samples[i] = sampleAt(from + Math.floor(i / channels), i % channels)
  return new Uint8Array(samples.buffer)
}

/** Returns the first frame from `start` that differs from the signal; null if none does. */
export function firstWrong(samples: Int16Array, start: number, channels = 2): number | null {
  for (let i = 0; i < samples.length; i++) {
    const frame = start + Math.floor(i / channels)
    if (samples[i] !== sampleAt(frame, i % channels)) return frame
  }
  return null
}

/**
 * Returns a disk with space for this many more bytes: a write beyond it is truncated, as on a real disk. Overwriting existing
 * bytes of a file needs no space.
 */
export function smallDisk(room: { bytes: number }): Disk {
  return {
    write(file, bytes, from, count, at) {
      const own = Math.max(0, Math.min(count, fstatSync(file).size - at))
      const maxBytes = Math.min(count, own + room.bytes)
      if (maxBytes === 0)
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      room.bytes -= Math.max(0, maxBytes - own)
      return systemDisk.write(file, bytes, from, maxBytes, at)
    },
    freeBytes: () => room.bytes,
  }
}

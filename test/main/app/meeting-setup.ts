import { vi } from 'vitest'
import type { Meeting } from '../../../src/shared/model/meeting.ts'
import { waveHeader } from '../../../src/shared/audio/wave-header.ts'
import type { TestApp } from '../../fixtures/app.ts'

/** Interleaves channels of 16-bit samples. */
export function interleaved(channels: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const both = new Int16Array((channels[0]?.length ?? 0) * channels.length)
  for (const [channel, samples] of channels.entries())
    for (const [frame, sample] of samples.entries())
      both[frame * channels.length + channel] = sample
  return both
}

/** Returns a 16-bit WAV file of some channels. */
export function waveOf(channels: readonly Int16Array[], sampleRate: number): Uint8Array {
  const frames = interleaved(channels)
  const layout = { channels: channels.length, sampleRate }
  return Buffer.concat([waveHeader(layout, frames.byteLength), new Uint8Array(frames.buffer)])
}

/** Creates an account at a service of the test; returns its ID. */
export async function accountAt(app: TestApp, baseUrl: string, key: string): Promise<string> {
  const { id } = await app.call('accounts.create', { preset: 'custom', name: 'Bench', baseUrl })
  await app.call('accounts.setKey', { id, key })
  return id
}

/** Uploads a file and creates a meeting from it; resolves with the meeting's ID as soon as the import begins. */
export async function importFile(
  app: TestApp,
  name: string,
  bytes: Uint8Array,
  accountId: string,
): Promise<string> {
  const taken = await app.intake(name, bytes)
  if (!taken.ok) throw new Error(taken.error.message)
  const { meeting } = await app.call('meetings.import', {
    mediaId: taken.data.media.id,
    accountId,
    channels: 'auto',
  })
  return meeting.id
}

/** Timeout of tests that run the whole app with its real engines, in milliseconds. */
export const hangMs = 600_000

/** Resolves to the meeting once it is completely analyzed and no segment waits. */
export function transcribedMeeting(app: TestApp, id: string): Promise<Meeting> {
  return patiently(async () => {
    const { meeting } = await app.call('meetings.get', { id })
    const { analysedMs, writtenMs, waiting, segments } = meeting.completeness
    if (meeting.state === 'import-failed') throw new Error(meeting.error?.message)
    const over = meeting.state === 'stopped' && analysedMs >= writtenMs && waiting === 0
    if (!over || segments === 0)
      throw new Error(`not heard yet: ${JSON.stringify([meeting.state, meeting.completeness])}`)
    return meeting
  })
}

/** Waits until the check no longer throws: real engines on a busy machine are slow, and only a hang is an error. */
export const patiently = <T>(check: () => Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 540_000, interval: 50 })

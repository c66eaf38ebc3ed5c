import { shallowRef } from 'vue'
import { readMedia } from '../../../lib/bridge/read-media.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import { growPeaks, peaksEnd, readPeaks, type Peaks } from './peaks.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Polling interval of growing peaks, in milliseconds. */
const growMs = 1000

/**
 * Stored peaks of one meeting, loaded in parallel with its text as soon as there are any; they grow with its audio.
 */
export function usePeaks(client: Client, read: typeof readMedia = readMedia) {
  const peaks = shallowRef<Peaks | null>(null)
  /** Whether they were requested and do not exist. */
  const missing = shallowRef(false)
  let abort = new AbortController()
  let url = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let growing = false
  let requested = false
  const latest = createLatest()

  const loadPeaks = async (): Promise<void> => {
    clearTimeout(timer)
    const { signal } = abort
    const isLatest = latest.start()
    const before = peaks.value
    // The last pair is read again: a range after the end of the file would be refused.
    const known = before && before.pairs > 0 ? before.channels * 2 : 0
    const bytes = await read(url, before && known > 0 ? peaksEnd(before) - known : 0, signal)
    // The last request started latest, and has the newest data.
    if (signal.aborted || !isLatest()) return
    if (!before || known === 0) peaks.value = bytes && readPeaks(bytes)
    else if (bytes && bytes.byteLength > known) peaks.value = growPeaks(before, bytes.slice(known))
    missing.value = peaks.value === null && !growing
    clearTimeout(timer)
    if (growing) timer = setTimeout(() => void loadPeaks(), growMs)
  }
  const close = (): void => {
    abort.abort()
    clearTimeout(timer)
    growing = false
    requested = false
    peaks.value = null
    missing.value = false
  }
  /** Switches to a meeting; its peaks are loaded immediately if they are known to exist. */
  const open = (id: string, there = false): void => {
    close()
    abort = new AbortController()
    url = client.mediaUrl(`peaks-${id}`)
    if (!there) return
    requested = true
    void loadPeaks()
  }
  /** Updates the length of the audio and whether it is growing; the last part is loaded when it stops growing. */
  const follow = (durationMs: number, grows: boolean): void => {
    if (durationMs === 0 || (requested && grows === growing)) return
    requested = true
    growing = grows
    void loadPeaks()
  }
  return { peaks, missing, open, close, follow }
}

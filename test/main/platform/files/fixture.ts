import { createMediaFiles, type MediaFiles } from '../../../../src/main/platform/files/files.ts'
import { openStore } from '../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../src/main/library-database/store.ts'
import { storeOptions, tickingClock } from '../database/fixture.ts'

/** Opens a library with its files, at `home`. */
export async function openLibrary(
  home: string,
  maxBytes?: number,
): Promise<{ readonly store: Store; readonly files: MediaFiles }> {
  const store = await openStore(storeOptions(home))
  const files = createMediaFiles({
    home,
    clock: tickingClock(),
    store,
    ...(maxBytes !== undefined && { maxBytes }),
  })
  return { store, files }
}

/** A stream of these chunks, one per pull; `end` determines how it ends. */
export function streamOf(
  chunks: readonly Uint8Array[],
  end: 'close' | 'error' | 'hang' = 'close',
): {
  readonly stream: ReadableStream<Uint8Array>
  readonly state: { pulled: number; cancelled: boolean }
} {
  const state = { pulled: 0, cancelled: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[state.pulled]
        state.pulled += 1
        if (chunk) controller.enqueue(chunk)
        else if (end === 'close') controller.close()
        else if (end === 'error') controller.error(new Error('connection reset'))
        else return new Promise<void>(() => undefined)
        return undefined
      },
      cancel() {
        state.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, state }
}

/** Bytes that vary by position and seed. */
export function noise(length: number, seed = 1): Uint8Array {
  let state = seed >>> 0
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 24
  })
}

/** A WAV header and some audio. */
export function wave(bytes = 2000): Uint8Array {
  const file = Buffer.from(noise(bytes))
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(bytes - 8, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  return file
}

import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { transcriptionRate } from '../../../shared/model/meeting.ts'

/** Samples of a frame of WebRTC's voice activity: 30 ms. */
export const fvadSamples = 480

/** WebRTC's voice activity: tells silence from sound well, speech from noise badly, and costs almost nothing. */
export interface Fvad {
  /** Whether {@link fvadSamples} samples (16 bit, 16 kHz) from `at` on hold voice. */
  voiced(samples: Int16Array, at: number): boolean
  reset(): void
  free(): void
}

/** What the wasm module gives; numbers are addresses in its memory. */
interface FvadModule {
  readonly HEAP16: Int16Array
  readonly _malloc: (bytes: number) => number
  readonly _free: (address: number) => void
  readonly _fvad_new: () => number
  readonly _fvad_free: (handle: number) => void
  readonly _fvad_reset: (handle: number) => void
  readonly _fvad_set_mode: (handle: number, mode: number) => number
  readonly _fvad_set_sample_rate: (handle: number, rate: number) => number
  readonly _fvad_process: (handle: number, address: number, samples: number) => number
}

/** The package has no types, and its wasm file lies beside its script. */
async function loadModule(): Promise<FvadModule> {
  const path = createRequire(import.meta.url).resolve('@echogarden/fvad-wasm')
  const { default: create } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
    readonly default: () => Promise<FvadModule>
  }
  return create()
}

/** How readily it says no, 0 to 3. */
const mode = 2

/** Makes a detector of its own memory. */
export async function createFvad(): Promise<Fvad> {
  const wasm = await loadModule()
  const {
    _malloc: allocate,
    _free: release,
    _fvad_new: create,
    _fvad_free: end,
    _fvad_reset: reset,
    _fvad_set_mode: setMode,
    _fvad_set_sample_rate: setRate,
    _fvad_process: processFrame,
  } = wasm
  const handle = create()
  const memory = allocate(fvadSamples * 2)
  if (handle === 0 || memory === 0) throw new Error('No memory for voice activity')
  const setUp = (): void => {
    setMode(handle, mode)
    setRate(handle, transcriptionRate)
  }
  setUp()
  return {
    voiced(samples, at) {
      // The view is asked for each time: the memory may have moved when it grew.
      wasm.HEAP16.set(samples.subarray(at, at + fvadSamples), memory >> 1)
      return processFrame(handle, memory, fvadSamples) === 1
    },
    reset() {
      reset(handle)
      setUp()
    },
    free() {
      release(memory)
      end(handle)
    },
  }
}

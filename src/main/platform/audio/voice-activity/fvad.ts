import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { transcriptionRate } from '../../../../shared/model/meeting.ts'

/** Samples of a frame of WebRTC's voice activity detection: 30 ms. */
export const fvadSamples = 480

/** WebRTC's voice activity detection: separates silence from sound well, speech from noise badly, and costs almost nothing. */
export interface Fvad {
  /** Whether {@link fvadSamples} samples (16 bit, 16 kHz) from `at` on contain voice. */
  voiced(samples: Int16Array, at: number): boolean
  reset(): void
  free(): void
}

/** Used exports of the WASM module; numbers are addresses in its memory. */
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

/** Loads the module. The package has no types, and its WASM file is next to its script. */
async function loadModule(): Promise<FvadModule> {
  const path = createRequire(import.meta.url).resolve('@echogarden/fvad-wasm')
  const { default: create } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
    readonly default: () => Promise<FvadModule>
  }
  return create()
}

/** Aggressiveness of rejecting non-speech, 0 to 3. */
const mode = 2

/** Creates a detector with its own memory. */
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
  if (handle === 0 || memory === 0)
    throw new Error('Not enough memory for voice activity detection')
  const setUp = (): void => {
    setMode(handle, mode)
    setRate(handle, transcriptionRate)
  }
  setUp()
  return {
    voiced(samples, at) {
      // The view is read on each call: the memory may have moved when it grew.
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

import { loadResampling, resample } from '../../../../../../src/system/audio/resample.ts'

const resampling = await loadResampling()

/** Returns the audio at another sample rate. */
export const resampled = (
  samples: Float32Array<ArrayBuffer>,
  from: number,
  to: number,
): Float32Array<ArrayBuffer> => resample(samples, from, to, resampling)

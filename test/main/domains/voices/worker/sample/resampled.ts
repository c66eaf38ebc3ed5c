import { loadResampling } from '../../../../../../src/main/platform/audio/resample.ts'

const resampling = await loadResampling()

/** Returns the audio at another sample rate. */
export function resampled(
  samples: Float32Array<ArrayBuffer>,
  from: number,
  to: number,
): Float32Array<ArrayBuffer> {
  const resampler = resampling(from, to)
  const [head, tail] = [resampler.push(samples), resampler.end()]
  resampler.free()
  const whole = new Float32Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

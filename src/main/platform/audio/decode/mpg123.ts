import { MPEGDecoder } from 'mpg123-decoder'
import { gathered } from '../../../../system/audio/pcm.ts'

/** Decodes MP3 frames one after the other. */
export interface FrameDecoder {
  /** Decodes whole frames to the given number of channels, owned by the caller; the arrays are empty if there is no output. */
  decode(frames: Uint8Array, channels: number): readonly Float32Array<ArrayBuffer>[]
  /** Resets the decoder state. */
  reset(): Promise<void>
  free(): void
}

/**
 * Parts of the package's decoder that its own `decode` is built on. That one copies every sample twice, including a second
 * channel of mono, and creates a hundred megabytes of garbage before any is collected.
 */
interface Parts {
  readonly _decoder: number
  readonly _input: Place<Uint8Array>
  readonly _output: Place<Float32Array>
  readonly _samplesDecodedPtr: Place<Uint32Array>
  readonly _sampleRatePtr: Place<Uint32Array>
  readonly _errorStringPtr: Place<Uint32Array>
  readonly _common: {
    readonly wasm: {
      mpeg_decoder_feed(decoder: number, input: number, bytes: number): number
      mpeg_decoder_read(
        decoder: number,
        output: number,
        floats: number,
        samples: number,
        rate: number,
        error: number,
      ): number
    }
  }
}

/** Range of the decoder's memory. */
interface Place<T> {
  readonly ptr: number
  readonly len: number
  readonly buf: T
}

/** Results of mpg123: it needs more bytes; the following frames have another format. */
const needsMore = -10
const newFormat = -11

/** Consecutive failures after which the rest of a block is skipped. */
const maxFailures = 1000

/** Starts mpg123 without gapless decoding: the padding that an encoder added is removed elsewhere. */
export async function loadFrameDecoder(): Promise<FrameDecoder> {
  const decoder = new MPEGDecoder({ enableGapless: false })
  await decoder.ready
  const parts = decoder as unknown as Parts

  function readInto(chunks: Float32Array<ArrayBuffer>[][]): void {
    const { _output: output, _samplesDecodedPtr: samples } = parts
    const { _sampleRatePtr: rate, _errorStringPtr: error, _common: common } = parts
    const { _decoder: address } = parts
    for (let failures = 0; failures < maxFailures; failures++) {
      samples.buf[0] = 0
      const result = common.wasm.mpeg_decoder_read(
        address,
        output.ptr,
        output.len,
        samples.ptr,
        rate.ptr,
        error.ptr,
      )
      const count = samples.buf[0] ?? 0
      if (count > 0) {
        failures = 0
        for (const [channel, own] of chunks.entries())
          own.push(new Float32Array(output.buf.subarray(channel * count, (channel + 1) * count)))
      }
      if (result === needsMore) return
      if (result === newFormat) failures = 0
    }
  }

  return {
    decode(frames, channels) {
      const chunks = Array.from({ length: channels }, (): Float32Array<ArrayBuffer>[] => [])
      const { _decoder: address, _input: input, _common: common } = parts
      for (let at = 0; at < frames.length; at += input.len) {
        const some = frames.subarray(at, at + input.len)
        input.buf.set(some)
        const result = common.wasm.mpeg_decoder_feed(address, input.ptr, some.length)
        if (result !== needsMore) readInto(chunks)
      }
      return chunks.map(gathered)
    },
    reset: () => decoder.reset(),
    free: () => decoder.free(),
  }
}

import { MPEGDecoder } from 'mpg123-decoder'
import { gathered } from '../pcm.ts'

/** Decodes frames of mp3 one after the other. */
export interface FrameDecoder {
  /** What comes of whole frames: so many channels, each the caller's own; empty ones when nothing came. */
  decode(frames: Uint8Array, channels: number): readonly Float32Array<ArrayBuffer>[]
  /** Forgets what came before. */
  reset(): Promise<void>
  free(): void
}

/**
 * The parts of the package's decoder that its own `decode` is made of. That one copies every sample twice, a second channel of mono
 * too, and leaves a hundred megabytes of garbage behind before any is cleared.
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

/** A stretch of the decoder's memory. */
interface Place<T> {
  readonly ptr: number
  readonly len: number
  readonly buf: T
}

/** Answers of mpg123: it needs more bytes; what follows has another format. */
const needsMore = -10
const newFormat = -11

/** Failures in a row after which the rest of a piece is given up. */
const maxFailures = 1000

/** Starts mpg123, with every sample that the frames give: what an encoder added is left out elsewhere. */
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

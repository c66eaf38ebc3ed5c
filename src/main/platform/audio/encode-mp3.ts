import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createEncoder } from 'wasm-media-encoders'
import { infoFrame } from './mp3-info.ts'
import { channelOf } from '../../../system/audio/pcm.ts'
import type { Resampling } from '../../../system/audio/resample.ts'

interface Mp3Audio {
  readonly rate: number
  /** Channels of the session, and the selected ones. */
  readonly channels: number
  readonly channel: number | 'both' | 'mix'
}

/** Kilobits per second, by channels: speech needs no more. */
const bitrates = { 1: 64, 2: 96 } as const

/** Sample rates in Hz that MP3 supports at these bit rates. */
const rates = [16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as const

/** Samples that LAME adds before the audio. */
const encoderDelay = 576

/**
 * Encodes 16-bit frames of a session as constant bit rate MP3, 64 kbit/s for one channel and 96 for two, with its exact length in
 * samples in the first frame. The encoder (LAME, LGPL) is a separate file.
 */
export async function createMp3Encoding(
  audio: Mp3Audio,
  resampling: Resampling,
): Promise<Encoding> {
  const { channels, channel } = audio
  const path = createRequire(import.meta.url).resolve('wasm-media-encoders/wasm/mp3')
  const encoder = await createEncoder('audio/mpeg', await readFile(path))
  const wanted = channel !== 'both' ? [channel] : channels > 1 ? [0, 1] : [0]
  const width = wanted.length > 1 ? 2 : 1
  const rate = rates.find((each) => each >= audio.rate) ?? 48_000
  const bitrate = bitrates[width]
  encoder.configure({ sampleRate: rate, outputSampleRate: rate, channels: width, bitrate })
  const voices = wanted.map((each) => ({ channel: each, to: resampling(audio.rate, rate) }))
  const perFrame = rate >= 32_000 ? 1152 : 576
  let samples = 0
  let bytes = 0
  let first: Uint8Array | null = null

  function copied(encoded: Uint8Array): Uint8Array<ArrayBuffer> {
    // The result is in the encoder's memory.
    const copy = encoded.slice()
    bytes += copy.length
    if (copy.length > 0) first ??= copy.subarray(0, 4)
    return copy
  }
  function encode(channelSamples: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
    const length = channelSamples[0]?.length ?? 0
    samples += length
    return length > 0 ? copied(encoder.encode(channelSamples)) : new Uint8Array(0)
  }

  return {
    // Space for the frame with the length, which is known at the end.
    begin: () => new Uint8Array(Math.floor((perFrame * bitrate * 125) / rate)),
    add: (frames) =>
      encode(voices.map((each) => each.to.push(channelOf(frames, channels, each.channel)))),
    end: () => [encode(voices.map(({ to }) => to.end())), copied(encoder.finalize())],
    head() {
      const frames = Math.round((bytes * rate) / (perFrame * bitrate * 125))
      const padding = frames * perFrame - samples - encoderDelay
      return first && infoFrame({ like: first, frames, bytes, delay: encoderDelay, padding })
    },
    close() {
      for (const { to } of voices) to.free()
    },
  }
}

/** Converts frames of the session (interleaved) to bytes of a file. */
export interface Encoding {
  /** Returns the bytes before this many frames. */
  begin(frames: number): Uint8Array
  add(frames: Int16Array): Uint8Array
  end(): readonly Uint8Array[]
  /** Returns the bytes that replace the beginning, after the end; null if it stays. */
  head(): Uint8Array | null
  close(): void
}

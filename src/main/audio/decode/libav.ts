import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** A stream of a container. */
export interface AvStream {
  readonly ptr: number
  readonly index: number
  readonly codecpar: number
  readonly codec_type: number
  readonly codec_id: number
  readonly time_base_num: number
  readonly time_base_den: number
  /** Seconds; far below zero if unknown. */
  readonly duration: number
}

/** Decoded samples: one array when interleaved, one per channel when planar. `pts` and `ptshi` are halves of a 64-bit time. */
export interface AvFrame {
  readonly data: AvSamples | readonly AvSamples[]
  readonly channels?: number
  readonly nb_samples?: number
  readonly sample_rate?: number
  readonly pts?: number
  readonly ptshi?: number
}

/** Samples of one of libav's formats. */
export type AvSamples = Uint8Array | Int16Array | Int32Array | Float32Array

/** Packet of a stream; only passed on. */
export type AvPacket = Readonly<Record<string, unknown>>

/** Used part of libav.js (its own types list every function there is). Functions throw when the WASM code crashes. */
export interface LibAv {
  readonly AVMEDIA_TYPE_AUDIO: number
  readonly AVDISCARD_ALL: number
  readonly AVERROR_EOF: number
  readonly EAGAIN: number
  onblockread?: (name: string, at: number, length: number) => void
  i64tof64(low: number, high: number): number
  av_log_set_level(level: number): Promise<void>
  mkblockreaderdev(name: string, size: number): Promise<void>
  ff_block_reader_dev_send(name: string, at: number, bytes: Uint8Array | null): Promise<void>
  ff_init_demuxer_file(name: string): Promise<[number, AvStream[]]>
  ff_init_decoder(codec: number, parameters: number): Promise<[number, number, number, number]>
  ff_read_multi(
    demuxer: number,
    packet: number,
    device: undefined,
    options: { limit: number },
  ): Promise<[number, Readonly<Record<number, AvPacket[]>>]>
  ff_decode_multi(
    decoder: number,
    packet: number,
    frame: number,
    packets: readonly AvPacket[],
    options: { fin: boolean; ignoreErrors: boolean },
  ): Promise<AvFrame[]>
  AVCodecParameters_codec_tag(parameters: number): Promise<number>
  AVStream_discard_s(stream: number, value: number): Promise<void>
}

/** Log level: libav prints nothing about damage to stderr. */
const quiet = -8

/** Loads a new instance of libav (LGPL, WASM, its own files): memory corrupted by a file is freed with its instance. */
export async function loadLibAv(): Promise<LibAv> {
  const require = createRequire(import.meta.url)
  const name = '@libav.js/variant-fat'
  const { LibAV } = require(name) as {
    readonly LibAV: (options: { noworker: boolean; base: string }) => Promise<LibAv>
  }
  const libav = await LibAV({ noworker: true, base: dirname(require.resolve(name)) })
  await libav.av_log_set_level(quiet)
  return libav
}

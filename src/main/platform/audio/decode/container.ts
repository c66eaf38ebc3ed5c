import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { FileKind } from '../../../../shared/audio/kind.ts'
import { AppError } from '../../../errors.ts'
import { maxChannels, acceptedRates, type Decoded, type AudioDecoder } from './decoded.ts'
import type { AudioSource } from './source.ts'

/** Bytes of packets read at a time. */
const readBytes = 64 * 1024

/** Consecutive failed reads before the rest of a file is skipped. */
const maxFailures = 50

const device = 'sound'

/** Sample entries of encrypted audio in an MP4 file, `enca` and `drms`, as libav stores them: little-endian. */
const locked: ReadonlySet<number> = new Set([0x61_63_6e_65, 0x73_6d_72_64])

/**
 * Decodes the first audio track of a container (mp4, m4a, mov, ogg, webm, mkv, flac) with libav, on the file's own timeline.
 * Throws AppError: DAMAGED_FILE, NO_SOUND for a file without an audio track, PROTECTED_SOUND, UNSUPPORTED_FORMAT for an unknown
 * codec.
 */
export async function decodeContainer(source: AudioSource, kind: FileKind): Promise<AudioDecoder> {
  const libav = await loadLibAv()
  libav.onblockread = (name, at, length) => {
    void source.read(at, length).then(
      (bytes) => libav.ff_block_reader_dev_send(name, at, bytes),
      () => libav.ff_block_reader_dev_send(name, at, null),
    )
  }
  await libav.mkblockreaderdev(device, source.size)
  const [demuxer, streams] = await libav.ff_init_demuxer_file(device).catch((cause: unknown) => {
    throw new AppError('DAMAGED_FILE', 'The container cannot be read', {
      cause: brief(cause),
      params: { kind },
    })
  })
  const stream = streams.find(({ codec_type: type }) => type === libav.AVMEDIA_TYPE_AUDIO)
  if (!stream) throw new AppError('NO_SOUND', 'The file has no audio', { params: { kind } })
  if (locked.has(await libav.AVCodecParameters_codec_tag(stream.codecpar)))
    throw new AppError('PROTECTED_SOUND', 'The audio of this file is encrypted', {
      params: { kind },
    })
  // Video is not even read.
  for (const other of streams)
    if (other !== stream) await libav.AVStream_discard_s(other.ptr, libav.AVDISCARD_ALL)
  const [, decoder, packet, frame] = await libav
    .ff_init_decoder(stream.codec_id, stream.codecpar)
    .catch((cause: unknown) => {
      throw new AppError('UNSUPPORTED_FORMAT', 'There is no decoder for this audio', {
        cause: brief(cause),
        // Without the type: the message would blame a container that is supported.
        params: { reason: 'codec' },
      })
    })

  const timeline = createTimeline(kind)
  const ready: Decoded[] = []
  let failures = 0
  let ended = false

  async function readOn(): Promise<void> {
    const [result, packets] = await libav.ff_read_multi(demuxer, packet, undefined, {
      limit: readBytes,
    })
    const fin = result === libav.AVERROR_EOF
    const failed = result !== 0 && result !== -libav.EAGAIN && !fin
    failures = failed ? failures + 1 : 0
    ended = fin || failures > maxFailures
    const frames = await libav.ff_decode_multi(
      decoder,
      packet,
      frame,
      packets[(stream as AvStream).index] ?? [],
      { fin: ended, ignoreErrors: true },
    )
    for (const each of frames) {
      const audio = audioOf(each)
      if (audio) timeline.place(audio, timeOf(libav, stream as AvStream, each), ready)
    }
  }

  return {
    seconds: stream.duration > 0 ? stream.duration : null,
    async next() {
      const chunk = ready.shift()
      if (chunk) return chunk
      if (ended) return null
      try {
        await readOn()
      } catch {
        // The WASM code crashed on the file: the audio decoded so far is kept.
        ended = true
      }
      return ready.shift() ?? { type: 'nothing' }
    },
    // The instance is freed with its last reference.
    async close() {
      ended = true
      ready.length = 0
    },
  }
}

/** Shortens errors of the WASM code, which carry its whole text in their stack. */
const brief = (error: unknown): Error =>
  new Error(error instanceof Error ? error.message.slice(0, 200) : 'libav failed')

/** Returns the time in seconds on the file's timeline; null if the frame has none. */
function timeOf(libav: LibAv, stream: AvStream, { pts, ptshi }: AvFrame): number | null {
  if (pts === undefined || ptshi === undefined || ptshi === -0x8000_0000) return null
  return (libav.i64tof64(pts, ptshi) * stream.time_base_num) / stream.time_base_den
}

function audioOf(frame: AvFrame): Extract<Decoded, { type: 'sound' }> | null {
  const { data, sample_rate: rate = 0, nb_samples: count = 0 } = frame
  if (rate < acceptedRates.min || rate > acceptedRates.max || count === 0) return null
  if (isPlanar(data)) {
    if (data.length === 0 || data.length > maxChannels) return null
    return { type: 'sound', rate, channels: data.map((plane) => floats(plane, 0, 1)) }
  }
  const width = Math.round(data.length / count)
  if (width < 1 || width > maxChannels) return null
  const channels = Array.from({ length: width }, (_, channel) => floats(data, channel, width))
  return { type: 'sound', rate, channels }
}

const isPlanar = (data: AvFrame['data']): data is readonly AvSamples[] => Array.isArray(data)

/** Returns every `step`th sample from `first` on, from -1 to 1. */
function floats(samples: AvSamples, first: number, step: number): Float32Array<ArrayBuffer> {
  const count = Math.floor(samples.length / step)
  const { scale, middle } = scaleOf(samples)
  const result = new Float32Array(count)
  for (let i = 0, at = first; i < count; i++, at += step)
    result[i] = ((samples[at] ?? 0) - middle) * scale
  return result
}

function scaleOf(samples: AvSamples): { readonly scale: number; readonly middle: number } {
  if (samples instanceof Uint8Array) return { scale: 1 / 128, middle: 128 }
  if (samples instanceof Int16Array) return { scale: 1 / 32_768, middle: 0 }
  if (samples instanceof Int32Array) return { scale: 1 / 2_147_483_648, middle: 0 }
  return { scale: 1, middle: 0 }
}

type DecodedAudio = Extract<Decoded, { type: 'sound' }>

/** Places frames at the time that their file specifies. */
interface Timeline {
  /** Appends any gap and the frame to `out`; `at` in seconds, null if unknown. */
  place(audio: DecodedAudio, at: number | null, out: Decoded[]): void
}

/** Containers whose clocks start at 0: a later start is real. The clocks of others start anywhere; their audio starts at once. */
const fromZero: ReadonlySet<FileKind> = new Set(['mp4', 'm4a', 'webm'])

/** Seconds: audio that starts later than this is an excerpt of a longer recording and starts at once. */
const latestStart = 600

/** Tolerance of times in seconds: containers round them, to a millisecond and more. */
const tolerance = 0.06

/** Seconds without frames from which audio counts as lost; shorter gaps are omitted silence (Opus, DTX). */
const shortestLoss = 1

/** Maximum seconds of one gap, and of all gaps, that are trusted. A clock that jumps further is damaged and is corrected. */
const maxSeconds = { hole: 3600, together: 4 * 3600 } as const

/** Creates a timeline that begins before the first frame of a file. */
function createTimeline(kind: FileKind): Timeline {
  /** Seconds returned so far, and how far the file's clock is ahead of them. */
  let given = 0
  let offset: number | null = null
  let holes = 0

  return {
    place(audio, at, out) {
      const isFirst = offset === null
      if (offset === null)
        offset = at !== null && !(fromZero.has(kind) && at < latestStart) ? at : 0
      const behind = at === null ? 0 : at - offset - given
      const believed = behind <= maxSeconds.hole && holes + behind <= maxSeconds.together
      if (behind > tolerance && believed) {
        const lost = !isFirst && behind >= shortestLoss
        out.push({ type: 'silence', seconds: behind, lost })
        given += behind
        holes += behind
      } else if (Math.abs(behind) > tolerance) {
        // The clock ran backward, or too far ahead: time continues from here.
        offset += behind
      }
      given += (audio.channels[0]?.length ?? 0) / audio.rate
      out.push(audio)
    },
  }
}

interface AvStream {
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
interface AvFrame {
  readonly data: AvSamples | readonly AvSamples[]
  readonly channels?: number
  readonly nb_samples?: number
  readonly sample_rate?: number
  readonly pts?: number
  readonly ptshi?: number
}

/** Samples of one of libav's formats. */
type AvSamples = Uint8Array | Int16Array | Int32Array | Float32Array

/** Packet of a stream; only passed on. */
type AvPacket = Readonly<Record<string, unknown>>

/** Used part of libav.js (its own types list every function there is). Functions throw when the WASM code crashes. */
interface LibAv {
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
async function loadLibAv(): Promise<LibAv> {
  const require = createRequire(import.meta.url)
  const name = '@libav.js/variant-fat'
  const { LibAV } = require(name) as {
    readonly LibAV: (options: { noworker: boolean; base: string }) => Promise<LibAv>
  }
  const libav = await LibAV({ noworker: true, base: dirname(require.resolve(name)) })
  await libav.av_log_set_level(quiet)
  return libav
}

import { AppError } from '../../errors.ts'
import type { FileKind } from '../../../shared/audio/kind.ts'
import { maxChannels, acceptedRates, type Decoded, type AudioDecoder } from './decoded.ts'
import { loadLibAv, type AvFrame, type AvSamples, type AvStream, type LibAv } from './libav.ts'
import type { AudioSource } from './source.ts'
import { createTimeline } from './timeline.ts'

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

import { closeSync, openSync, readSync, rmSync } from 'node:fs'
import { moveFileSync, removal } from '../../../../../system/file-moves.ts'
import { AppError } from '../../../../errors.ts'
import { isNoSpace, systemDisk, writeAll } from '../../../../platform/audio/disk.ts'
import { createMp3Encoding } from '../../../../platform/audio/encode-mp3.ts'
import {
  createPeaks,
  framesPerPair,
  peaksHeader,
  peaksHeaderBytes,
} from '../../../../platform/audio/peaks.ts'
import type { Resampling } from '../../../../../system/audio/resample.ts'
import {
  frameBytesOf,
  readWaveHeader,
  waveHeader,
  waveHeaderLength,
} from '../../../../../shared/audio/wave-header.ts'
import { joinAudio, planJoin, type JoinOptions, type JoinSegment } from './join-audio.ts'
import { id3Tag, infoChunk, type SpeechTags } from './tags.ts'

/** Joins takes into a WAV file with its peaks. */
export interface JoinWork {
  readonly kind: 'join'
  readonly segments: readonly JoinSegment[]
  readonly options: JoinOptions
  readonly to: string
  readonly peaksTo: string
}

/** Writes a joined WAV file with metadata. */
export interface ExportWork {
  readonly kind: 'export'
  readonly from: string
  readonly format: 'wav' | 'mp3'
  readonly tags: SpeechTags
  readonly to: string
}

/** Result of the write. */
export interface Written {
  /** Hertz. */
  readonly rate: number
  readonly samples: number
  /** Start and length of each joined segment, in samples. */
  readonly segments: readonly {
    readonly id: string
    readonly start: number
    readonly length: number
  }[]
}

/** Work that runs in steps of some samples and returns the result at its end. */
export type WriteSteps = AsyncGenerator<number, Written>

/** Runs either work. Files appear complete or not at all. Throws DISK_FULL, and the errors of reading the takes. */
export async function* writeSpeechOutput(
  work: JoinWork | ExportWork,
  resampling: Resampling,
): WriteSteps {
  const made = work.kind === 'join' ? [work.to, work.peaksTo] : [work.to]
  try {
    const written = yield* work.kind === 'join'
      ? join(work, resampling)
      : exported(work, resampling)
    for (const path of made) moveFileSync(partPath(path), path)
    return written
  } catch (error) {
    if (isNoSpace(error))
      throw new AppError('DISK_FULL', 'There is not enough disk space for this file', {
        cause: error,
      })
    throw error
  } finally {
    for (const path of made) rmSync(partPath(path), removal)
  }
}

const partPath = (path: string): string => `${path}.part`

interface Sink {
  put(bytes: Uint8Array): void
  putAt(bytes: Uint8Array, at: number): void
  readonly bytes: number
  close(): void
}

function openSink(path: string): Sink {
  const file = openSync(partPath(path), 'w', 0o600)
  let bytes = 0
  return {
    put(more) {
      writeAll(systemDisk, file, more, bytes)
      bytes += more.length
    },
    putAt: (more, at) => writeAll(systemDisk, file, more, at),
    get bytes() {
      return bytes
    },
    close: () => closeSync(file),
  }
}

const bytesOf = (samples: Int16Array<ArrayBuffer>): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)

async function* join(work: JoinWork, resampling: Resampling): WriteSteps {
  const plan = planJoin(work.segments, work.options)
  const layout = { channels: 1, sampleRate: plan.rate }
  const sink = openSink(work.to)
  const peaksSink = openSink(work.peaksTo)
  try {
    const peaks = createPeaks(1, framesPerPair(plan.rate))
    sink.put(waveHeader(layout, plan.samples * frameBytesOf(layout)))
    peaksSink.put(peaksHeader(layout, 0))
    for await (const samples of joinAudio(work.segments, plan, resampling)) {
      sink.put(bytesOf(samples))
      peaks.add(samples)
      peaksSink.put(peaks.take())
      yield samples.length
    }
    peaksSink.put(peaks.rest())
    peaksSink.putAt(peaksHeader(layout, (peaksSink.bytes - peaksHeaderBytes) / 2), 0)
    const segments = plan.segments.map(({ start, length }, index) => ({
      id: work.segments[index]?.id ?? '',
      start,
      length,
    }))
    return { rate: plan.rate, samples: plan.samples, segments }
  } finally {
    sink.close()
    peaksSink.close()
  }
}

/** Samples per block. */
const block = 16_384

async function* exported(work: ExportWork, resampling: Resampling): WriteSteps {
  const source = openSync(work.from, 'r')
  const sink = openSink(work.to)
  try {
    const { rate, from, samples } = layoutOf(source)
    const blocks = samplesOf(source, from, samples)
    if (work.format === 'mp3') yield* asMp3(work, sink, blocks, rate, resampling)
    else yield* asWave(work, sink, blocks, rate, samples)
    return { rate, samples, segments: [] }
  } finally {
    closeSync(source)
    sink.close()
  }
}

/** Reads the header of a file that {@link join} wrote. */
function layoutOf(file: number): {
  readonly rate: number
  readonly from: number
  readonly samples: number
} {
  const head = new Uint8Array(80)
  readSync(file, head, 0, head.length, 0)
  const large = String.fromCharCode(...head.subarray(0, 4)) === 'RF64'
  const plain = readWaveHeader(head)
  const view = new DataView(head.buffer)
  const rate = large ? view.getUint32(60, true) : plain?.sampleRate
  const bytes = large ? Number(view.getBigUint64(28, true)) : plain?.dataBytes
  if (rate === undefined || bytes === undefined)
    throw new AppError('DAMAGED_FILE', 'The joined audio cannot be read')
  return { rate, from: waveHeaderLength(bytes), samples: bytes / 2 }
}

function* samplesOf(
  file: number,
  from: number,
  samples: number,
): Generator<Int16Array<ArrayBuffer>> {
  for (let at = 0; at < samples; at += block) {
    const bytes = new Uint8Array(Math.min(block, samples - at) * 2)
    const read = readSync(file, bytes, 0, bytes.length, from + at * 2)
    if (read < bytes.length) throw new AppError('DAMAGED_FILE', 'The joined audio is truncated')
    yield new Int16Array(bytes.buffer)
  }
}

type Blocks = Iterable<Int16Array<ArrayBuffer>>

async function* asWave(
  work: ExportWork,
  sink: Sink,
  blocks: Blocks,
  rate: number,
  samples: number,
): AsyncGenerator<number, void> {
  sink.put(waveHeader({ channels: 1, sampleRate: rate }, samples * 2))
  for (const each of blocks) {
    sink.put(bytesOf(each))
    yield each.length
  }
  sink.put(infoChunk(work.tags))
  const size = new DataView(new ArrayBuffer(8))
  const large = waveHeaderLength(samples * 2) > 44
  if (large) size.setBigUint64(0, BigInt(sink.bytes - 8), true)
  else size.setUint32(0, sink.bytes - 8, true)
  sink.putAt(new Uint8Array(size.buffer, 0, large ? 8 : 4), large ? 20 : 4)
}

async function* asMp3(
  work: ExportWork,
  sink: Sink,
  blocks: Blocks,
  rate: number,
  resampling: Resampling,
): AsyncGenerator<number, void> {
  const tag = id3Tag(work.tags)
  sink.put(tag)
  const encoding = await createMp3Encoding({ rate, channels: 1, channel: 0 }, resampling)
  try {
    sink.put(encoding.begin(0))
    for (const each of blocks) {
      sink.put(encoding.add(each))
      yield each.length
    }
    for (const bytes of encoding.end()) sink.put(bytes)
    const head = encoding.head()
    if (head) sink.putAt(head, tag.length)
  } finally {
    encoding.close()
  }
}

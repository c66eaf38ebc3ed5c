import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { moveFileSync, removal } from '../../../system/file-moves.ts'
import { AppError } from '../../errors.ts'
import { isNoSpace, systemDisk, writeAll } from './disk.ts'
import { createMp3Encoding, type Encoding } from './encode-mp3.ts'
import { channelOf, toPcm } from '../../../system/audio/pcm.ts'
import type { Resampling } from '../../../system/audio/resample.ts'
import { openSession, type SessionReader } from './session-reader.ts'
import type { AudioRequest } from './audio-messages.ts'
import { waveHeader } from '../../../shared/audio/wave-header.ts'

/** Audio file that is being written. */
export interface AudioWriter {
  /** Continues for this many seconds of audio. Throws DISK_FULL. */
  more(seconds: number): Promise<{ readonly doneMs: number; readonly done: boolean }>
  /** Stops and leaves no file behind. */
  abandon(): Promise<void>
}

type WriteRequest = Extract<AudioRequest, { type: 'write' }>

/** Frames per block. */
const block = 16_384

/**
 * Writes the audio of a session, or a range of it, to a file that appears complete or not at all. WAV keeps the samples
 * unchanged. Throws REFUSED if the file exists, BAD_REQUEST for a missing channel or range.
 */
export async function openAudioWriter(
  request: WriteRequest,
  resampling: Resampling,
): Promise<AudioWriter> {
  const session = openSession(request.folder)
  const rate = session.head.sampleRate
  const total = session.frames()
  const frameAt = (ms: number): number =>
    Math.min(total, Math.max(0, Math.round((ms * rate) / 1000)))
  const start = request.range ? frameAt(request.range.startMs) : 0
  const end = request.range ? frameAt(request.range.endMs) : total
  const partPath = `${request.to}.part`
  let encoding: Encoding
  let file: number
  try {
    if (existsSync(request.to)) throw new AppError('REFUSED', 'The file already exists')
    if (end <= start) throw new AppError('BAD_REQUEST', 'There is no audio in this range')
    if (typeof request.channel === 'number' && request.channel >= session.channels)
      throw new AppError('BAD_REQUEST', `The audio has no channel ${request.channel}`)
    encoding = await encodingFor(request, session, resampling)
    // A leftover of a killed process is overwritten.
    file = openSync(partPath, 'w', 0o600)
  } catch (error) {
    session.close()
    throw error
  }
  let frame = start
  let size = 0
  const put = (bytes: Uint8Array): void => {
    writeAll(systemDisk, file, bytes, size)
    size += bytes.length
  }
  const close = (): void => {
    session.close()
    encoding.close()
    closeSync(file)
  }
  const abandon = async (): Promise<void> => {
    close()
    rmSync(partPath, removal)
  }

  return {
    async more(seconds) {
      try {
        if (size === 0) put(encoding.begin(end - start))
        const until = Math.min(end, frame + seconds * rate)
        while (frame < until) {
          const frames = session.read(frame, Math.min(block, until - frame))
          if (frames.length === 0) throw new AppError('FILE_MISSING', 'The audio is truncated')
          put(encoding.add(frames))
          frame += frames.length / session.channels
        }
        const done = frame >= end
        if (done) {
          for (const bytes of encoding.end()) put(bytes)
          const head = encoding.head()
          if (head) writeAll(systemDisk, file, head, 0)
          close()
          moveFileSync(partPath, request.to)
        }
        return { doneMs: Math.round(((frame - start) / rate) * 1000), done }
      } catch (error) {
        await abandon()
        if (isNoSpace(error))
          throw new AppError('DISK_FULL', 'There is not enough disk space for this file', {
            cause: error,
          })
        throw error
      }
    },
    abandon,
  }
}

async function encodingFor(
  { format, channel }: WriteRequest,
  session: SessionReader,
  resampling: Resampling,
): Promise<Encoding> {
  const rate = session.head.sampleRate
  const width = channel === 'both' ? session.channels : 1
  if (format === 'mp3')
    return createMp3Encoding({ rate, channels: session.channels, channel }, resampling)
  return {
    begin: (frames) => waveHeader({ channels: width, sampleRate: rate }, frames * width * 2),
    add(frames) {
      const samples =
        channel === 'both' ? frames : toPcm(channelOf(frames, session.channels, channel))
      return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
    },
    end: () => [],
    head: () => null,
    close: () => {},
  }
}

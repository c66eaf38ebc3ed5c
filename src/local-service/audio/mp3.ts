import { MPEGDecoder } from 'mpg123-decoder'
import { readSoundHeader } from './audio-header.ts'
import { AudioError, TooLongError } from './audio.ts'
import type { AudioData } from './audio.ts'

/** Bytes decoded at a time; at the lowest rate there is they hold about ten seconds. */
const pieceBytes = 8 * 1024

/** Places the decoder may stumble over before the file counts as no sound: it tells each on the error output. */
const maxErrors = 100

/**
 * Bytes without any sound after which the decoder is fed no more: a large tag, or something that it hoards and searches again
 * and again, with work that grows with the square of it.
 */
const maxBarrenBytes = 128 * 1024

/**
 * Decodes an mp3 file whole. What comes out is measured as it comes, since a decoder plays more than a header tells: throws
 * TooLongError beyond `maxSeconds`, AudioError when no sound comes out or its sample rate changes. `rest` is called between
 * pieces: where the thread answers others, it lets them.
 */
export async function decodeMp3(
  bytes: Uint8Array,
  maxSeconds: number,
  rest: () => Promise<void> | undefined = () => undefined,
): Promise<AudioData> {
  const header = await readSoundHeader(bytes)
  if (header.mime !== 'audio/mpeg') throw new AudioError('this isn’t an MP3 file')
  const decoder = new MPEGDecoder()
  await decoder.ready
  try {
    const pieces: Float32Array[][] = []
    let rate = 0
    let samples = 0
    let errors = 0
    let barren = 0
    for (let at = header.dataOffset; at < bytes.length; at += pieceBytes) {
      const piece = decoder.decode(bytes.subarray(at, at + pieceBytes))
      errors += piece.errors.length
      if (errors > maxErrors) throw new AudioError('the MP3 file is damaged in too many places')
      barren = piece.samplesDecoded === 0 ? barren + pieceBytes : 0
      if (barren > maxBarrenBytes) break
      if (piece.samplesDecoded === 0) continue
      rate ||= piece.sampleRate
      if (piece.sampleRate !== rate) throw new AudioError('the sample rate of the MP3 file changes')
      samples += piece.samplesDecoded
      if (samples > maxSeconds * rate) throw new TooLongError(maxSeconds)
      pieces.push(piece.channelData)
      await rest()
    }
    if (samples === 0 || rate === 0) throw new AudioError('the MP3 file has no audio')
    if (barren > maxBarrenBytes && samples < (header.seconds - 1) * rate)
      throw new AudioError('the MP3 file has a large gap')
    const channels = (pieces[0] ?? []).map((_, channel) => {
      const whole = new Float32Array(samples)
      let at = 0
      for (const piece of pieces) {
        const part = piece[channel] ?? new Float32Array(0)
        whole.set(part, at)
        at += part.length
      }
      return whole
    })
    return { rate, channels }
  } finally {
    decoder.free()
  }
}

import { MPEGDecoder } from 'mpg123-decoder'
import { joined } from '../../system/audio/pcm.ts'
import { parseAudioHeader, AudioError, TooLongError, type AudioData } from './audio.ts'

/** Bytes decoded at a time; at the lowest bit rate they contain about ten seconds. */
const chunkBytes = 8 * 1024

/** Maximum decoding errors before the file counts as invalid: the decoder prints each on standard error. */
const maxErrors = 100

/**
 * Bytes without any audio after which the decoder gets no more input: a large tag, or data that it buffers and searches again
 * and again in quadratic time.
 */
const maxBarrenBytes = 128 * 1024

/**
 * Decodes a complete mp3 file. The output is measured during decoding, since it can be longer than the header says: throws
 * TooLongError beyond `maxSeconds`, AudioError if there is no audio or its sample rate changes. `rest` is called between
 * chunks, so that the thread can handle other requests.
 */
export async function decodeMp3(
  bytes: Uint8Array,
  maxSeconds: number,
  rest: () => Promise<void> | undefined = () => undefined,
): Promise<AudioData> {
  const header = await parseAudioHeader(bytes)
  if (header.mime !== 'audio/mpeg') throw new AudioError('this isn’t an MP3 file')
  const decoder = new MPEGDecoder()
  await decoder.ready
  try {
    const chunks: Float32Array<ArrayBuffer>[][] = []
    let rate = 0
    let samples = 0
    let errors = 0
    let barren = 0
    for (let at = header.dataOffset; at < bytes.length; at += chunkBytes) {
      const chunk = decoder.decode(bytes.subarray(at, at + chunkBytes))
      errors += chunk.errors.length
      if (errors > maxErrors) throw new AudioError('the MP3 file is damaged in too many places')
      barren = chunk.samplesDecoded === 0 ? barren + chunkBytes : 0
      if (barren > maxBarrenBytes) break
      if (chunk.samplesDecoded === 0) continue
      rate ||= chunk.sampleRate
      if (chunk.sampleRate !== rate) throw new AudioError('the sample rate of the MP3 file changes')
      samples += chunk.samplesDecoded
      if (samples > maxSeconds * rate) throw new TooLongError(maxSeconds)
      chunks.push(chunk.channelData as Float32Array<ArrayBuffer>[])
      await rest()
    }
    if (samples === 0 || rate === 0) throw new AudioError('the MP3 file has no audio')
    if (barren > maxBarrenBytes && samples < (header.seconds - 1) * rate)
      throw new AudioError('the MP3 file has a large gap')
    const channels = (chunks[0] ?? []).map((_, channel) =>
      joined(...chunks.map((chunk) => chunk[channel] ?? new Float32Array(0))),
    )
    return { rate, channels }
  } finally {
    decoder.free()
  }
}

import { AppError } from '../../../../errors.ts'
import { openAudio } from '../../../../platform/audio/decode/open.ts'

/** Range of decoded audio, all channels mixed. */
interface MonoBlock {
  /** Hertz. */
  readonly rate: number
  readonly samples: Float32Array<ArrayBuffer>
}

/** Maximum duration of a take in seconds: a thousand characters at half speed take some minutes. */
const maxSeconds = 1800

/**
 * Reads an audio file block by block as one channel. Throws the errors of opening it, and MALFORMED_REPLY if its rate changes
 * midway or it does not end.
 */
export async function* readMono(path: string): AsyncGenerator<MonoBlock> {
  const decoder = await openAudio(path)
  let rate = 0
  let seconds = 0
  try {
    for (let next = await decoder.next(); next; next = await decoder.next()) {
      if (next.type === 'nothing') continue
      if (next.type === 'sound' && rate !== 0 && next.rate !== rate)
        throw malformed('the sample rate of the audio changes')
      if (next.type === 'sound') rate = next.rate
      if (rate === 0) continue
      const samples =
        next.type === 'sound'
          ? meanOf(next.channels)
          : new Float32Array(Math.round(next.seconds * rate))
      seconds += samples.length / rate
      if (seconds > maxSeconds) throw malformed('the audio has no end')
      yield { rate, samples }
    }
  } finally {
    await decoder.close()
  }
}

function meanOf(channels: readonly Float32Array<ArrayBuffer>[]): Float32Array<ArrayBuffer> {
  const [first = new Float32Array(0)] = channels
  if (channels.length < 2) return first
  return first.map(
    (_, at) => channels.reduce((sum, each) => sum + (each[at] ?? 0), 0) / channels.length,
  )
}

const malformed = (message: string): AppError =>
  new AppError('MALFORMED_REPLY', message, { params: { reason: 'sound' } })

import type { ErrorBody } from './errors.ts'
import { readErrorBody } from './errors.ts'
import type { EndMark, EventReader } from './event-reply.ts'
import { failureOfFinish } from './finish-reasons.ts'
import { isRecord } from './json.ts'
import { malformed, numberIn, recordFrom, recordsFrom, textIn } from './lenient.ts'
import type { JsonRecord } from './lenient.ts'
import type { SpeechResult } from './speech.ts'

/** Default sample rate of PCM in hertz (service-notes 3). */
export const defaultSampleRate = 24_000

/**
 * Reads the chunks of a speech stream (service-notes 3): `choices[].delta.content` in base64 or hex, `return_sample_rate`
 * next to it, a last chunk without `delta`, an `error` instead. `onPcm` receives whole samples: a byte without its other half
 * is held back until the next chunk.
 */
export function createSpeechReader(
  onPcm: (pcm: Uint8Array, sampleRate: number) => void,
): EventReader<SpeechResult> {
  let end: EndMark = 'open'
  let sampleRate = defaultSampleRate
  let bytes = 0
  let half: Uint8Array = new Uint8Array(0)
  const decode = createDecoder()

  const give = (chunk: Uint8Array): void => {
    const joined = half.length === 0 ? chunk : Buffer.concat([half, chunk])
    const whole = joined.length - (joined.length % 2)
    half = joined.subarray(whole)
    if (whole === 0) return
    bytes += whole
    onPcm(joined.subarray(0, whole), sampleRate)
  }

  const receiveChoice = (choice: JsonRecord, event: JsonRecord): ErrorBody | null => {
    const delta = recordFrom(choice['delta']) ?? recordFrom(choice['message']) ?? {}
    const rate =
      numberIn(delta, 'return_sample_rate') ??
      numberIn(choice, 'return_sample_rate') ??
      numberIn(event, 'return_sample_rate')
    if (rate !== null && rate > 0) sampleRate = rate
    const content = textIn(delta, 'content')
    if (content !== null) give(decode(content))
    const finish = choice['finish_reason']
    if (typeof finish === 'string' && finish !== '') end = 'said'
    return failureOfFinish(finish)
  }

  return {
    take(event) {
      const { error } = event
      if (
        (isRecord(error) && Object.keys(error).length > 0) ||
        (typeof error === 'string' && error !== '')
      )
        return readErrorBody(event) ?? { code: null, message: null }
      for (const choice of recordsFrom(event['choices'])) {
        const failure = receiveChoice(choice, event)
        if (failure) return failure
      }
      return null
    },
    // Audio is never sent as one JSON value: whatever this contains, it is not an answer.
    whole(json) {
      const message = textIn(json, 'message') ?? textIn(json, 'msg')
      if (message === null) throw malformed('json')
      return { code: null, message }
    },
    get end() {
      return end
    },
    value: () => ({ bytes, format: 'pcm', sampleRate }),
  }
}

/**
 * Decodes the chunks of one stream; the encoding of the first applies to all. Throws MALFORMED_REPLY for anything else.
 */
function createDecoder(): (content: string) => Buffer {
  let encoding: 'base64' | 'hex' | null = null
  return (content) => {
    const text = content.trim()
    encoding ??= encodingOf(text)
    const legal = encoding === 'hex' ? /^(?:[\da-f]{2})*$/i : /^[\w+/-]*={0,2}$/
    if (!legal.test(text)) throw malformed('audio-encoding')
    return Buffer.from(text, encoding)
  }
}

/**
 * Returns base64 unless the text can only be hex: pairs of the sixteen digits in one case. Silence is `AAAA...` in base64 and
 * `0000...` in hex; letters alone are therefore base64, and real audio contains other letters within a few samples.
 */
function encodingOf(text: string): 'base64' | 'hex' {
  const pairs = text.length % 2 === 0 && /\d/.test(text)
  return pairs && (/^[\da-f]+$/.test(text) || /^[\dA-F]+$/.test(text)) ? 'hex' : 'base64'
}

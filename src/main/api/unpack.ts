import type { Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { AppError } from '../errors.ts'

/** Most bytes that a compressed reply is unpacked to. Readers have lower limits of their own; this one holds for all of them. */
const maxUnpacked = 512 * 1024 * 1024

/** Codings of one reply: services apply one, and a gateway perhaps another. */
const maxCodings = 3

/** Bytes unpacked at a time. */
const chunkSize = 64 * 1024

/**
 * The body of a reply without the codings that its `Content-Encoding` names (RFC 9110, 8.4): plain replies are asked for, but gateways
 * compress all the same. Whatever was unpacked is given before the source's own error. Throws STREAM_CUT for a body that ends too early,
 * MALFORMED_REPLY for one that cannot be unpacked or is larger than any reply.
 */
export function unpacked(
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string | null,
  host: string,
): AsyncIterable<Uint8Array> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity' && coding !== 'none')
  if (codings.length === 0) return body
  if (codings.length > maxCodings) return refused()
  return bounded(codings.reduceRight((inner, coding) => withoutCoding(inner, coding, host), body))
}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > maxUnpacked) throw malformed('too-large')
    yield chunk
  }
}

async function* withoutCoding(
  body: AsyncIterable<Uint8Array>,
  coding: string,
  host: string,
): AsyncIterable<Uint8Array> {
  let decoder: Decoder | null = null
  let isPlain = false
  try {
    for await (const chunk of body) {
      if (chunk.byteLength === 0) continue
      // Some gateways name a coding that they did not apply.
      isPlain ||= decoder === null && !fits(coding, chunk)
      if (isPlain) {
        yield chunk
        continue
      }
      decoder ??= decoderOf(decompressor(coding, chunk), host)
      yield* decoder.take(chunk)
      if (decoder.ended) return
    }
    // A body without a byte is an empty one, whatever it is said to be.
    if (decoder) yield* decoder.finish()
  } finally {
    decoder?.destroy()
  }
}

/** Whether a body that begins so can have this coding, as far as its first byte tells. */
function fits(coding: string, [first = 0]: Uint8Array): boolean {
  if (coding === 'gzip' || coding === 'x-gzip') return first === 0x1f
  if (coding === 'zstd') return first === 0x28 || (first & 0xf0) === 0x50
  return true
}

function decompressor(coding: string, [first = 0]: Uint8Array): Transform {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ chunkSize })
    case 'deflate':
      // Some senders leave out the two bytes of zlib's head, the first of which ends in 8.
      return (first & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })
    case 'br':
      return createBrotliDecompress({ chunkSize })
    case 'zstd':
      return createZstdDecompress({ chunkSize })
    default:
      throw malformed('encoding')
  }
}

/** A decompressor that is fed piece by piece: what a piece unpacks to is given before the next one is asked for. */
interface Decoder {
  take(chunk: Uint8Array): AsyncIterable<Uint8Array>
  /** The rest; throws when the end has not come. */
  finish(): AsyncIterable<Uint8Array>
  /** The end came: what follows is no part of the reply. */
  readonly ended: boolean
  destroy(): void
}

function decoderOf(stream: Transform, host: string): Decoder {
  let failure: Error | null = null
  let ended = false
  let news = Promise.withResolvers<void>()
  const notify = (): void => news.resolve()
  stream.on('readable', notify)
  stream.on('end', () => {
    ended = true
    notify()
  })
  stream.on('error', (error: Error) => {
    failure = error
    notify()
  })
  /** What comes out until the step is done. */
  const during = async function* (step: (done: () => void) => void): AsyncIterable<Uint8Array> {
    let isDone = false
    step(() => {
      isDone = true
      notify()
    })
    for (;;) {
      const chunk = stream.read() as Uint8Array | null
      if (chunk !== null) yield chunk
      else if (failure) throw failureOf(failure, host)
      else if (isDone || ended) return
      else {
        await news.promise
        news = Promise.withResolvers<void>()
      }
    }
  }
  return {
    take: (chunk) => during((done) => void stream.write(chunk, done)),
    // Over when it says so itself: only then is the check at the end of the data made.
    finish: () => during(() => void stream.end()),
    get ended() {
      return ended
    },
    destroy: () => void stream.destroy(),
  }
}

function failureOf(error: Error, host: string): AppError {
  if ('code' in error && error.code === 'Z_BUF_ERROR')
    return new AppError('STREAM_CUT', 'The connection broke before the reply was whole.', {
      retriable: true,
      params: { host, reason: 'cut' },
    })
  return malformed('encoding')
}

const malformed = (reason: 'encoding' | 'too-large'): AppError =>
  new AppError('MALFORMED_REPLY', 'The compressed reply cannot be unpacked.', {
    params: { reason },
  })

const refused = (): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(malformed('encoding')) }),
})

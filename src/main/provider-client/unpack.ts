import type { Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { AppError } from '../errors.ts'

/**
 * Maximum number of bytes a compressed response is decompressed to. Readers have lower limits of their own; this one applies
 * to all.
 */
const maxUnpacked = 512 * 1024 * 1024

/** Maximum number of content codings of a response: providers apply one, and a gateway perhaps another. */
const maxCodings = 3

/** Bytes decompressed at a time. */
const chunkSize = 64 * 1024

/**
 * Returns the response body decoded from the codings in its `Content-Encoding` (RFC 9110, 8.4): uncompressed responses are
 * requested, but gateways compress anyway. Decoded data is yielded before an error of the source. Throws STREAM_CUT for a
 * body that ends too early, MALFORMED_REPLY for one that cannot be decoded or is too large.
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
      // Some gateways declare a coding they did not apply.
      isPlain ||= decoder === null && !fits(coding, chunk)
      if (isPlain) {
        yield chunk
        continue
      }
      decoder ??= decoderOf(decompressor(coding, chunk), host)
      yield* decoder.take(chunk)
      if (decoder.ended) return
    }
    // A body with no bytes is empty, whatever coding is declared.
    if (decoder) yield* decoder.finish()
  } finally {
    decoder?.destroy()
  }
}

/** Returns whether the first byte of a body is compatible with this coding. */
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
      // Some senders omit the two-byte zlib header, whose first byte ends in 8.
      return (first & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })
    case 'br':
      return createBrotliDecompress({ chunkSize })
    case 'zstd':
      return createZstdDecompress({ chunkSize })
    default:
      throw malformed('encoding')
  }
}

/** A decompressor that is fed chunk by chunk: the output of a chunk is yielded before the next one is requested. */
interface Decoder {
  take(chunk: Uint8Array): AsyncIterable<Uint8Array>
  /** Yields the rest; throws when the end was not reached. */
  finish(): AsyncIterable<Uint8Array>
  /** Whether the end was reached: what follows is not part of the response. */
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
  /** Yields the output until the step is done. */
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
    // Ends only when the stream reports it: only then is the checksum at the end verified.
    finish: () => during(() => void stream.end()),
    get ended() {
      return ended
    },
    destroy: () => void stream.destroy(),
  }
}

function failureOf(error: Error, host: string): AppError {
  if ('code' in error && error.code === 'Z_BUF_ERROR')
    return new AppError('STREAM_CUT', 'The connection was lost before the response was complete.', {
      retriable: true,
      params: { host, reason: 'cut' },
    })
  return malformed('encoding')
}

const malformed = (reason: 'encoding' | 'too-large'): AppError =>
  new AppError('MALFORMED_REPLY', 'The compressed response could not be decompressed.', {
    params: { reason },
  })

const refused = (): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(malformed('encoding')) }),
})

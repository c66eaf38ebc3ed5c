import { open } from 'node:fs/promises'
import type { Answered, CallOptions, ServiceTarget } from './types.ts'
import { failureReplyLimit } from './body.ts'
import { performCall, type CallParts, type ReadContext } from './call.ts'
import { failureInside } from './errors.ts'
import { openSink } from './file-sink.ts'
import type { HttpReply } from './http.ts'
import { isRecord, parseJson } from './json.ts'
import { malformed } from './lenient.ts'
import { noUsage } from './usage.ts'

interface Downloaded {
  readonly bytes: number
  readonly contentType: string
}

/**
 * Downloads into the file `to` with `GET`. The file is complete afterwards or does not exist; memory does not depend on its
 * size. Safe to repeat. A response that is only an error envelope is treated as that failure, whatever its status and content
 * type.
 */
export async function downloadTo(
  parts: CallParts,
  target: ServiceTarget,
  file: { readonly operation: string; readonly path: string; readonly to: string },
  options: CallOptions,
): Promise<Answered<Downloaded>> {
  return performCall<Answered<Downloaded>>(
    parts,
    target,
    {
      operation: file.operation,
      model: null,
      repeat: 'safe',
      exchange: () => ({
        method: 'GET',
        path: file.path,
        accept: '*/*',
        timeouts: parts.longCall,
      }),
      async read(reply, context) {
        const bytes = await saveReply(reply, file.to, (saved) =>
          refuseEnvelope(saved, reply, context),
        )
        return storedAnswer({ bytes, contentType: reply.contentType }, reply, context)
      },
    },
    options,
  )
}

/** A saved response before it is moved to its final name. */
export interface SavedPart {
  readonly bytes: number
  /** The first bytes, at most 64. */
  readonly head: Uint8Array
  /** Returns all of it as text; null when it is longer than any error body. */
  text(): Promise<string | null>
}

/** Maximum size of a downloaded file in bytes: the limit of the Library. */
const defaultMaxBytes = 8 * 1024 ** 3

/**
 * Streams a response body to `to`. `check` may still reject it by throwing, and a body larger than `most` bytes is
 * MALFORMED_REPLY. On any failure nothing is left. Returns the number of bytes.
 */
export async function saveReply(
  reply: HttpReply,
  to: string,
  check: (saved: SavedPart) => Promise<void>,
  maxBytes = defaultMaxBytes,
): Promise<number> {
  const sink = await openSink(to)
  try {
    let head: Uint8Array = new Uint8Array(0)
    for await (const chunk of reply.body) {
      if (head.length < 64) head = Buffer.concat([head, chunk.subarray(0, 64 - head.length)])
      await sink.write(chunk)
      if (sink.bytes > maxBytes) throw malformed('too-large')
    }
    await check({ bytes: sink.bytes, head, text: () => partText(sink.part, sink.bytes) })
    await sink.finish()
    return sink.bytes
  } catch (error) {
    await sink.discard()
    throw error
  }
}

/**
 * Returns the result for a response that was stored as a file: `raw` describes it, since the bytes are not stored twice.
 */
export function storedAnswer<T extends Readonly<Record<string, unknown>>>(
  value: T,
  reply: HttpReply,
  context: ReadContext,
): Answered<T> {
  return {
    value,
    requestId: context.requestId,
    engine: reply.engine,
    notice: reply.notice,
    usage: noUsage,
    raw: {
      status: reply.status,
      contentType: reply.contentType,
      body: JSON.stringify({ stored: value }),
    },
  }
}

async function partText(part: string, bytes: number): Promise<string | null> {
  if (bytes > failureReplyLimit) return null
  const handle = await open(part, 'r')
  try {
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** Returns whether a text begins like an HTML or XML page. */
export function startsAsPage(text: string): boolean {
  return /^(<!doctype|<html|<\?xml|<head|<body)/i.test(text)
}

/** Field names of an error envelope; a file with one JSON object has others. */
const envelopeNames: ReadonlySet<string> = new Set(
  'error code message msg success status timestamp path request_id'.split(' '),
)

async function refuseEnvelope(
  saved: SavedPart,
  reply: HttpReply,
  context: ReadContext,
): Promise<void> {
  if (saved.bytes === 0) throw malformed('empty')
  const words = Buffer.from(saved.head)
    .toString('utf8')
    .replace(/^[\s\ufeff]+/, '')
  // The stored file may be a page; one that is also declared as HTML is from a gateway.
  if (startsAsPage(words) && /^text\/html\b/i.test(reply.contentType)) throw malformed('html')
  if (!words.startsWith('{')) return
  const json = parseJson((await saved.text()) ?? '')
  if (!isRecord(json) || !Object.keys(json).every((name) => envelopeNames.has(name))) return
  const failure = failureInside(json)
  if (failure) throw context.failure(reply, failure)
}

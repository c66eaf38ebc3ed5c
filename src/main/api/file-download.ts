import { open } from 'node:fs/promises'
import type { Answered } from './answer.ts'
import { failureReplyLimit } from './body.ts'
import { performCall } from './call.ts'
import type { CallParts, ReadContext } from './call.ts'
import { failureInside } from './errors.ts'
import { openSink } from './file-sink.ts'
import type { HttpReply } from './http.ts'
import { isRecord, parseJson } from './json.ts'
import { malformed } from './lenient.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { noUsage } from './usage.ts'

/** What came of a download. */
export interface Downloaded {
  readonly bytes: number
  readonly contentType: string
}

/**
 * `GET` of bytes into the file `to`, which exists afterwards whole or not at all; memory does not follow its size. Safe to
 * repeat. A reply that is nothing but an envelope of failure is that failure, whatever its status and content type.
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

/** What was saved, before it takes its name. */
export interface SavedPart {
  readonly bytes: number
  /** The first bytes, at most 64. */
  readonly head: Uint8Array
  /** All of it as text; null when it is longer than any failure's body. */
  text(): Promise<string | null>
}

/** Largest file that is downloaded, in bytes: what the library takes. */
const defaultMaxBytes = 8 * 1024 ** 3

/**
 * Streams a reply's body to `to`; `check` may still refuse it by throwing, and one beyond `most` bytes is MALFORMED_REPLY. On any
 * failure nothing is left. Returns the bytes.
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

/** The answer for a reply that was stored as a file: `raw` says what, since the bytes are not kept twice. */
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

/** Whether a text begins as a page of HTML or XML does. */
export function startsAsPage(text: string): boolean {
  return /^(<!doctype|<html|<\?xml|<head|<body)/i.test(text)
}

/** Names an envelope of failure is made of; a file of one JSON object has others. */
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
  // A page may be what was stored; one that is also announced as a page is a gateway's.
  if (startsAsPage(words) && /^text\/html\b/i.test(reply.contentType)) throw malformed('html')
  if (!words.startsWith('{')) return
  const json = parseJson((await saved.text()) ?? '')
  if (!isRecord(json) || !Object.keys(json).every((name) => envelopeNames.has(name))) return
  const failure = failureInside(json)
  if (failure) throw context.failure(reply, failure)
}

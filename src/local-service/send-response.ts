import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultRule } from './fault-injection/rules.ts'
import type { ServiceReply } from './http.ts'

/** Returns a Buffer over the same memory, without a copy. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

async function* chunksOf(body: ServiceReply['body']): AsyncGenerator<Buffer> {
  if (typeof body === 'string') yield Buffer.from(body)
  else if (body instanceof Uint8Array) yield bufferOf(body)
  else if ('bytes' in body) for await (const chunk of body.bytes) yield bufferOf(chunk)
  else for await (const text of body) yield Buffer.from(text)
}

/** Returns the length of a body in bytes, or undefined for an event stream. */
function lengthOf(body: ServiceReply['body']): number | undefined {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.byteLength(body)
  return 'bytes' in body ? body.length : undefined
}

function writeHead(response: ServerResponse, { status, headers, body }: ServiceReply): void {
  const bytes = lengthOf(body)
  response.writeHead(status, {
    ...headers,
    ...(bytes !== undefined && { 'content-length': bytes }),
  })
}

/** Writes a response and waits for slow clients. Ends without an error when the client has disconnected. */
export async function send(
  response: ServerResponse,
  reply: ServiceReply,
  signal: AbortSignal,
): Promise<void> {
  writeHead(response, reply)
  response.flushHeaders()
  for await (const chunk of chunksOf(reply.body)) {
    if (signal.aborted) return
    if (!response.write(chunk)) await once(response, 'drain', { signal }).catch(() => undefined)
  }
  response.end()
}

/** Writes a response with the delivery faults of a rule: delayed, split into chunks or cut off. */
export async function sendCorrupted(
  response: ServerResponse,
  reply: ServiceReply,
  rule: FaultRule,
  signal: AbortSignal,
): Promise<void> {
  const hangUp = (): void => {
    response.socket?.destroySoon()
  }
  if (rule.delayMs) await sleep(rule.delayMs)
  if (rule.hangUp) return hangUp()
  writeHead(response, reply)
  response.flushHeaders()
  let left = rule.cutAfterBytes ?? Infinity
  if (left === 0) return hangUp()
  let first = true
  for await (const chunk of inChunks(chunksOf(reply.body), rule)) {
    if (rule.chunkDelayMs && !first) await sleep(rule.chunkDelayMs)
    if (signal.aborted) return
    first = false
    const part = chunk.subarray(0, Math.min(chunk.length, left))
    // Awaiting each write keeps the chunks separate on the network.
    await new Promise((resolve) => response.write(part, resolve))
    left -= part.length
    if (left === 0) return hangUp()
  }
  response.end()
}

/** Returns true for a UTF-8 continuation byte: a split before it is inside a character. */
const continues = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000

function* splitCharacters(bytes: Buffer): Generator<Buffer> {
  let start = 0
  for (let at = 1; at < bytes.length; at++) {
    if (!continues(bytes[at])) continue
    yield bytes.subarray(start, at)
    start = at
  }
  yield bytes.subarray(start)
}

function* splitEvery(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Splits a body into chunks as the rule specifies; nothing is added or lost. */
async function* inChunks(body: AsyncIterable<Buffer>, rule: FaultRule): AsyncGenerator<Buffer> {
  for await (const bytes of body) {
    if (rule.pieceBytes) yield* splitEvery(bytes, rule.pieceBytes)
    else if (rule.splitCharacters) yield* splitCharacters(bytes)
    else yield bytes
  }
}

import type { FaultRule } from './rules.ts'

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
export async function* inChunks(
  body: AsyncIterable<Buffer>,
  rule: FaultRule,
): AsyncGenerator<Buffer> {
  for await (const bytes of body) {
    if (rule.pieceBytes) yield* splitEvery(bytes, rule.pieceBytes)
    else if (rule.splitCharacters) yield* splitCharacters(bytes)
    else yield bytes
  }
}

import { requireJson } from './body.ts'
import type { ReadContext } from './call.ts'
import { failureInside } from './errors.ts'
import { startsAsPage } from './file-download.ts'
import type { SavedPart } from './file-download.ts'
import type { HttpReply } from './http.ts'
import { isRecord, parseJson } from './json.ts'
import { malformed, textIn } from './lenient.ts'

/**
 * Rejects a 200 response that is not audio (service-notes 3): an empty one, JSON, a page, an event stream, or a WAV without a
 * WAV header. Only the bytes matter, not the content type. Raw PCM may begin with any byte, so only a complete JSON text
 * distinguishes text from audio.
 */
export async function assertAudio(
  saved: SavedPart,
  format: 'wav' | 'pcm',
  reply: HttpReply,
  context: ReadContext,
): Promise<void> {
  if (saved.bytes === 0) throw malformed('empty')
  const head = Buffer.from(saved.head)
  const words = head.toString('utf8').replace(/^[\s\ufeff]+/, '')
  if (/^[{["]/.test(words)) {
    const json = parseJson((await saved.text()) ?? '')
    if (json !== undefined) throw failureOf(json, reply, context)
  }
  if (startsAsPage(words)) {
    // Reports the page by its title.
    requireJson((await saved.text()) ?? '<', reply, context.redact)
  }
  if (/^(data|event):\s?[{[\w]/.test(words)) throw malformed('events')
  if (format === 'wav' && !/^(RIFF|RIFX|RF64)$/.test(head.toString('latin1', 0, 4)))
    throw malformed('not-wav')
}

/** Returns the error for a JSON body in a successful response, with its own message if it has one. */
export function failureOf(json: unknown, reply: HttpReply, context: ReadContext): Error {
  const failure = failureInside(json)
  if (failure) return context.failure(reply, failure)
  const message = isRecord(json) ? (textIn(json, 'message') ?? textIn(json, 'msg')) : null
  return message === null ? malformed('json') : context.failure(reply, { code: null, message })
}

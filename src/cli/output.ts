import type { Redactor } from '../main/security/redact.ts'
import { visible } from './visible.ts'

/** Where the command writes; every text passes the redactor first. */
export interface Output {
  /** One JSON value on standard output. */
  json(value: unknown, pretty: boolean): void
  /** Text as it is, but for the key. */
  text(text: string): void
  /** One JSON line on standard error. */
  failure(line: unknown): void
  /** Words for a person, on standard error. */
  say(text: string): void
}

/** A stream, which may be a terminal. */
export type Written = NodeJS.WritableStream & { readonly isTTY?: boolean }

/**
 * Output over two streams. A reader that went away ends the writing without a word, as `head` expects. A terminal obeys some
 * characters; it is shown them instead, whoever sent them. Files and pipes get every text as it is.
 */
export function createOutput(
  stdout: Written,
  stderr: Written,
  redactor: Pick<Redactor, 'maskKnown'>,
): Output {
  let gone = false
  stdout.on('error', () => (gone = true))
  stderr.on('error', () => {})
  const put = (stream: Written, text: string): void => {
    const safe = redactor.maskKnown(text)
    stream.write(stream.isTTY === true ? visible(safe) : safe)
  }
  const write = (text: string): void => {
    if (!gone) put(stdout, text)
  }
  return {
    json: (value, pretty) => write(`${JSON.stringify(value, null, pretty ? 2 : 0)}\n`),
    text: (text) => write(text.endsWith('\n') ? text : `${text}\n`),
    failure: (line) => put(stderr, `${JSON.stringify(line)}\n`),
    say: (text) => put(stderr, text),
  }
}

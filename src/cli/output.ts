import type { Redactor } from '../main/security/redact.ts'

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

/** Output over two streams. A reader that went away ends the writing without a word, as `head` expects. */
export function createOutput(
  stdout: NodeJS.WritableStream,
  stderr: NodeJS.WritableStream,
  redactor: Pick<Redactor, 'maskKnown'>,
): Output {
  let gone = false
  stdout.on('error', () => (gone = true))
  stderr.on('error', () => {})
  const write = (text: string): void => {
    if (!gone) stdout.write(redactor.maskKnown(text))
  }
  return {
    json: (value, pretty) => write(`${JSON.stringify(value, null, pretty ? 2 : 0)}\n`),
    text: (text) => write(text.endsWith('\n') ? text : `${text}\n`),
    failure: (line) => void stderr.write(`${redactor.maskKnown(JSON.stringify(line))}\n`),
    say: (text) => void stderr.write(redactor.maskKnown(text)),
  }
}

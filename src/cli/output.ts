import type { Redactor } from '../main/platform/security/redact.ts'

/** Output of the command; every text passes the redactor first. */
export interface Output {
  /** Writes one JSON value to standard output. */
  json(value: unknown, pretty: boolean): void
  /** Writes text unchanged, except for the redacted key. */
  text(text: string): void
  /** Writes one JSON line to standard error. */
  failure(line: unknown): void
  /** Writes text for the user to standard error. */
  say(text: string): void
}

/** An output stream, which may be a terminal. */
type Written = NodeJS.WritableStream & { readonly isTTY?: boolean }

/**
 * Creates output over two streams. A closed pipe ends the output silently, as `head` expects. Characters that a terminal would
 * interpret are shown escaped, whoever sent them. Files and pipes get every text unchanged.
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

/**
 * Characters that a terminal would interpret instead of showing: control characters of both sets except line ends and tabs, line
 * separators, and format characters, which change the text direction or hide text. The two joiners stay: some scripts need them.
 */
const obeyed = /(?![\n\t]|\r\n)\p{Cc}|\p{Zl}|\p{Zp}|(?![\u200c\u200d])\p{Cf}/gu

/** The text with such characters escaped as `\\uXXXX`, as in JSON. */
export function visible(text: string): string {
  return text.replace(obeyed, (found) => {
    const units = Array.from({ length: found.length }, (_, at) => found.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })
}

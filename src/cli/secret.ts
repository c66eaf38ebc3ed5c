import type { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { AppError } from '../main/errors.ts'

/** Sources of secrets besides the environment. */
export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream
  /** Whether standard input is already used, for JSON for example. */
  readonly stdinTaken: boolean
  ask(text: string): void
}

/** Maximum number of characters of a secret. */
const maxLength = 4096

/**
 * Returns the first line of standard input, read without echo from a terminal. Throws CANCELLED if the prompt was answered with
 * Ctrl-C.
 */
export function secretFromInput(
  { stdin, ask }: Pick<SecretSources, 'stdin' | 'ask'>,
  question: string,
): Promise<string> {
  const input = stdin as ReadStream
  return input.isTTY ? promptFor(input, ask, question) : firstLine(input)
}

/** Reads the first line and leaves the rest for the next reader. */
async function firstLine(stdin: Readable): Promise<string> {
  let read = Buffer.alloc(0)
  for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
    read = Buffer.concat([read, Buffer.from(chunk as Buffer | string)])
    if (read.includes('\n') || read.length > maxLength) break
  }
  const end = read.indexOf('\n')
  if (end >= 0 && end + 1 < read.length) stdin.unshift(read.subarray(end + 1))
  return lineOf(read.toString('utf8'))
}

/** The first line of a text, without its line break. */
export const lineOf = (text: string): string => (text.split('\n')[0] ?? '').replace(/\r$/, '')

function promptFor(
  stdin: ReadStream,
  ask: (text: string) => void,
  question: string,
): Promise<string> {
  ask(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  return new Promise((resolve, reject) => {
    let secret = ''
    const end = (): void => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      ask('\n')
    }
    const take = (chunk: string | Buffer): void => {
      for (const character of String(chunk)) {
        if (character === '\u0003') {
          end()
          return reject(new AppError('CANCELLED', 'Stopped'))
        }
        if (character === '\r' || character === '\n' || character === '\u0004') {
          end()
          return resolve(secret)
        }
        if (character === '\u007f' || character === '\b') secret = secret.slice(0, -1)
        else if (secret.length < maxLength) secret += character
      }
    }
    stdin.on('data', take)
    stdin.resume()
  })
}

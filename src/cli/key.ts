import type { ReadStream } from 'node:tty'
import { AppError } from '../main/errors.ts'

/** What keys come from. */
export interface KeySources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream
  /** Standard input is taken: by JSON, for example. */
  readonly stdinTaken: boolean
  ask(text: string): void
}

/** Most characters that are read of a key. */
const longest = 4096

/**
 * The key for a service elsewhere: the environment's LECTERN_KEY, else the first line of standard input, asked for without echo
 * when that is a terminal. Throws NO_KEY; CANCELLED when the question was answered with Ctrl-C.
 */
export async function readKey(sources: KeySources, host: string): Promise<string> {
  const fromEnvironment = sources.env['LECTERN_KEY']?.trim()
  if (fromEnvironment) return fromEnvironment
  if (sources.stdinTaken)
    throw new AppError('NO_KEY', 'LECTERN_KEY is not set, and standard input is taken by the JSON')
  const stdin = sources.stdin as ReadStream
  const key = stdin.isTTY ? await askFor(stdin, sources.ask, host) : await firstLine(stdin)
  if (key === '') throw new AppError('NO_KEY', 'LECTERN_KEY is not set, and no key was given')
  return key
}

async function firstLine(stdin: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const piece of stdin) {
    text += String(piece)
    if (text.includes('\n') || text.length > longest) break
  }
  return (text.split('\n')[0] ?? '').trim()
}

function askFor(stdin: ReadStream, ask: (text: string) => void, host: string): Promise<string> {
  ask(`Key for ${host} (it is not shown): `)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  return new Promise((resolve, reject) => {
    let key = ''
    const end = (): void => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      ask('\n')
    }
    const take = (piece: string | Buffer): void => {
      for (const character of String(piece)) {
        if (character === '\u0003') {
          end()
          return reject(new AppError('CANCELLED', 'Stopped'))
        }
        if (character === '\r' || character === '\n' || character === '\u0004') {
          end()
          return resolve(key.trim())
        }
        if (character === '\u007f' || character === '\b') key = key.slice(0, -1)
        else if (key.length < longest) key += character
      }
    }
    stdin.on('data', take)
    stdin.resume()
  })
}

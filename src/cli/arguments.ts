import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { inputFields } from '../main/operations/describe.ts'
import { operationOf, operations } from '../main/operations/index.ts'
import type { Operation } from '../main/operations/operation.ts'
import type { PresetId } from '../shared/provider/profiles.ts'
import { flagsOf, readFlags, type FlagValue } from './flags.ts'
import { UsageError } from './usage-error.ts'

/** Destination of a request. */
export type Place =
  | { readonly type: 'this-computer'; readonly home: string | null }
  | { readonly type: 'remote'; readonly preset: PresetId; readonly baseUrl: string | null }
  | { readonly type: 'account'; readonly name: string }

/** Parsed command line. */
export type Command =
  | { readonly type: 'help'; readonly operation: string | null }
  | {
      readonly type: 'run'
      readonly name: string
      readonly operation: Operation
      /** Fields passed as flags. */
      readonly flags: Readonly<Record<string, unknown>>
      /** Further input: `-` for standard input, `@path` for a file, else JSON; null for none. */
      readonly json: string | null
      readonly place: Place
      readonly out: string | null
      readonly requestId: string | null
      readonly raw: boolean
      /** Path of a file whose first line is the password of locked PDFs; null for none. */
      readonly passwordFile: string | null
      /** Whether to wait for indexing on this computer. */
      readonly wait: boolean
    }

/** Flags that every operation has. */
const general = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'string' },
  raw: { type: 'boolean' },
  out: { type: 'string' },
  'request-id': { type: 'string' },
  'base-url': { type: 'string' },
  preset: { type: 'string' },
  account: { type: 'string' },
  home: { type: 'string' },
  'password-file': { type: 'string' },
  wait: { type: 'boolean' },
} as const

const presets: readonly PresetId[] = ['local', 'bigmodel', 'zai', 'custom']

/** Parses the command line. Throws UsageError. */
export function readArguments(args: readonly string[]): Command {
  if (args.some((arg) => /^--(api-?)?key(=|$)/i.test(arg)))
    throw new UsageError(
      'The API key is never an option: other programs can see options, and shells save them. Set LECTERN_KEY, or enter the API key on standard input.',
    )
  if (args.some((arg) => /^--(pdf-?)?pass(word|phrase)?(=|$)/i.test(arg)))
    throw new UsageError(
      'The password is never an option: other programs can see options, and shells save them. Set LECTERN_PDF_PASSWORD, use --password-file, or enter it on standard input.',
    )
  const [first, ...rest] = args
  if (first === undefined || first === 'help' || first === '--help' || first === '-h')
    return { type: 'help', operation: first === 'help' ? (rest[0] ?? null) : null }
  const operation = operationOf(first)
  if (!operation) throw new UsageError(unknownOperation(first))
  const fields = inputFields(operation)
  const { values, positionals } = parse(rest, { ...flagsOf(fields), ...general })
  if (values['help'] === true) return { type: 'help', operation: first }
  const text = (name: keyof typeof general): string | null => {
    const value = values[name]
    return typeof value === 'string' ? value : null
  }
  const json = text('json')
  const [extra, ...more] = positionals
  if (more.length > 0 || (extra !== undefined && extra !== '-'))
    throw new UsageError('Use options after the operation, or - for JSON on standard input')
  if (extra === '-' && json !== null) throw new UsageError('Use either --json or -')
  if (text('out') !== null && operation.writes === null)
    throw new UsageError(`${first} doesn’t write a file. Remove --out`)
  return {
    type: 'run',
    name: first,
    operation,
    flags: readFlags(fields, values),
    json: extra === '-' ? '-' : json,
    place: placeOf(text('preset'), text('base-url'), text('account'), text('home')),
    out: text('out'),
    requestId: text('request-id'),
    raw: values['raw'] === true,
    passwordFile: text('password-file'),
    wait: values['wait'] !== false,
  }
}

function parse(
  args: readonly string[],
  options: ParseArgsOptionsConfig,
): { readonly values: Readonly<Record<string, FlagValue>>; readonly positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true })
  } catch (error) {
    // Its message quotes flags, never values.
    const [sentence = ''] = error instanceof Error ? error.message.split('. ') : []
    throw new UsageError(/^[^']*'(-[^']*)'/.test(sentence) ? sentence : 'An option isn’t valid')
  }
}

function placeOf(
  preset: string | null,
  baseUrl: string | null,
  account: string | null,
  home: string | null,
): Place {
  if (account !== null) {
    if (preset !== null || baseUrl !== null)
      throw new UsageError('An account has its own base URL. Remove --base-url and --preset')
    return { type: 'account', name: account }
  }
  if (preset === null && baseUrl === null) return { type: 'this-computer', home }
  const known = presets.find((each) => each === (preset ?? 'custom'))
  if (!known) throw new UsageError(`--preset must be one of ${presets.join(', ')}`)
  if (known === 'local' && baseUrl === null) return { type: 'this-computer', home }
  return { type: 'remote', preset: known, baseUrl }
}

function unknownOperation(name: string): string {
  const family = name.split('.')[0]
  const near = Object.keys(operations).filter((each) => each.startsWith(`${family}.`))
  const hint = near.length > 0 ? `Available: ${near.join(', ')}` : '--help lists all operations'
  return `Unknown operation. ${hint}`
}

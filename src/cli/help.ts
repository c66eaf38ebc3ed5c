import { inputFields } from '../main/operations/describe.ts'
import type { InputField } from '../main/operations/describe.ts'
import { operationOf, operations } from '../main/operations/index.ts'
import { flagOf } from './flags.ts'
import { UsageError } from './usage-error.ts'

const places = `Where the call goes:
  (nothing)             the service of this computer, started for the call; --home DIR for its folder
  --base-url URL        a service at this address, spoken to as --preset says (bigmodel, zai, custom, local)
  --preset bigmodel|zai its own address; the key comes from LECTERN_KEY, from standard input, or is asked for
  --account NAME        an account of Lectern, with its key from the keychain
The key is never an argument: other programs see arguments, and shells keep them.

Locked PDFs (layout.parse, documents.upload) are sent without their password, which comes from LECTERN_PDF_PASSWORD,
from the first line of --password-file PATH, from standard input, or is asked for. It is never an argument either.
This computer indexes documents only during a call: documents.upload waits until they are indexed, and a search
indexes what is left first. --no-wait leaves that for later.`

const output = `What comes out:
  one JSON object on standard output; streams print a line for each event, and the result as the last
  --raw prints the reply as it was received; --out PATH says where a file is written
  a failure is one JSON line on standard error; lines before it tell how far indexing is
  exit code 0 done, 1 unexpected, 2 not understood, 3 over a limit, 4 refused by the service,
            5 network or time, 6 key, rights or quota, 130 stopped`

/** All operations, one line each. */
export function overview(): string {
  const names = Object.entries(operations)
  const width = Math.max(...names.map(([name]) => name.length))
  const lines = names.map(
    ([name, { summary, spec }]) => `  ${name.padEnd(width)}  ${summary} (${spec})`,
  )
  return [
    'lectern-service OPERATION [--field value …] [--json JSON | --json @FILE | -]',
    '',
    ...lines,
    '',
    "OPERATION --help lists an operation's fields. The numbers are sections of docs/service-notes.md.",
    '',
    places,
    '',
    output,
    '',
  ].join('\n')
}

/** One operation with its fields, types, limits and section. Throws UsageError for a name that is none. */
export function operationHelp(name: string): string {
  const operation = operationOf(name)
  if (!operation) throw new UsageError('There is no such operation. --help lists them all')
  const fields = inputFields(operation)
  const heads = fields.map(headOf)
  const width = Math.min(44, Math.max(0, ...heads.map((head) => head.length)))
  const lines = fields.map((field, at) => {
    const about = [
      field.required ? 'required' : '',
      field.list ? 'repeat for more' : '',
      field.about,
    ]
    return `  ${(heads[at] ?? '').padEnd(width)}  ${about.filter((each) => each !== '').join('; ')}`.trimEnd()
  })
  const facts = [
    operation.creates ? 'It makes something each time it is run.' : '',
    operation.streams ? 'It tells events while it runs, one line each.' : '',
    operation.writes === null ? '' : `It writes a file: --out PATH, or ${operation.writes} here.`,
  ].filter((fact) => fact !== '')
  return [
    `${name}: ${operation.summary}`,
    `Described in docs/service-notes.md, section ${operation.spec}`,
    ...facts,
    '',
    ...(lines.length > 0 ? lines : ['  It takes no fields.']),
    '',
    places,
    '',
  ].join('\n')
}

function headOf(field: InputField): string {
  const flag = `--${flagOf(field.name)}`
  if (field.type === 'yes or no') return flag
  if (field.file) return `${flag} PATH`
  const type =
    field.type === 'text' ? 'TEXT' : field.type === 'text or JSON' ? 'TEXT|JSON' : field.type
  return `${flag} ${field.choices.length > 0 ? field.choices.join('|') : type}`
}

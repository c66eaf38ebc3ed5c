import { inputFields, type InputField } from '../main/operations/describe.ts'
import { operationOf, operations } from '../main/operations/index.ts'
import { flagOf } from './flags.ts'
import { UsageError } from './usage-error.ts'

const places = `Where the request goes:
  (none)                this computer: the on-device service, started for this command; --home DIR sets its folder
  --base-url URL        a server at this URL; --preset (bigmodel, zai, custom, local) sets its API field names
  --preset bigmodel|zai the provider's own base URL; the API key comes from LECTERN_KEY, standard input, or a prompt
  --account NAME        an account in Lectern, with its API key from the keychain
The API key is never an option: other programs can see options, and shells save them.

Locked PDFs (layout.parse, documents.upload) are sent without their password. It comes from LECTERN_PDF_PASSWORD,
the first line of --password-file PATH, standard input, or a prompt. It is never an option either.
This computer indexes documents only while a command runs: documents.upload waits until they are indexed, and a
search first indexes the rest. --no-wait skips this.`

const output = `Output:
  one JSON object on standard output; streams print one line for each event, and the result as the last line
  --raw prints the raw response; --out PATH sets where a file is written
  errors are one JSON line on standard error; lines before it show progress
  exit codes: 0 done, 1 unexpected error, 2 command not understood, 3 limit exceeded, 4 rejected by the provider,
              5 network error or timeout, 6 API key, permission, or quota, 130 stopped`

/** Lists all operations, one line each. */
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
    'OPERATION --help lists the fields of an operation. Numbers are sections of docs/service-notes.md.',
    '',
    places,
    '',
    output,
    '',
  ].join('\n')
}

/** Describes one operation with its fields, types, limits and section. Throws UsageError for an unknown name. */
export function operationHelp(name: string): string {
  const operation = operationOf(name)
  if (!operation) throw new UsageError('Unknown operation. --help lists all operations')
  const fields = inputFields(operation)
  const heads = fields.map(headOf)
  const width = Math.min(44, Math.max(0, ...heads.map((head) => head.length)))
  const lines = fields.map((field, at) => {
    const about = [
      field.required ? 'required' : '',
      field.list ? 'repeat for several' : '',
      field.about,
    ]
    return `  ${(heads[at] ?? '').padEnd(width)}  ${about.filter((each) => each !== '').join('; ')}`.trimEnd()
  })
  const facts = [
    operation.creates ? 'Creates a new resource each time.' : '',
    operation.streams ? 'Streams: prints one line for each event.' : '',
    operation.writes === null
      ? ''
      : `Writes a file: --out PATH, or ${operation.writes} in this folder.`,
  ].filter((fact) => fact !== '')
  return [
    `${name}: ${operation.summary}`,
    `See docs/service-notes.md, section ${operation.spec}.`,
    ...facts,
    '',
    ...(lines.length > 0 ? lines : ['  No fields.']),
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

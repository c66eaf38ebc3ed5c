import type { InputField } from '../../../../../shared/model/operation.ts'

/** Input control of a field. */
type ControlKind =
  | 'text'
  | 'long'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'lines'
  | 'choices'
  | 'mixed'
  | 'file'
  | 'files'
  | 'json'

/** A field of the form; fields of an object with a known shape are separate fields with their path. */
export interface FormField extends Omit<InputField, 'fields'> {
  /** `retrieval.knowledgeIds`: unique within its form, and used in errors. */
  readonly path: string
  readonly kind: ControlKind
}

/** A chosen file as known to main. */
export interface ChosenFile {
  readonly mediaId: string
  readonly name: string
}

/** Form values by path: text as typed, booleans as `true` and `false`, files as chosen. Absent: empty. */
export type Draft = Readonly<Record<string, string | readonly ChosenFile[]>>

/** Why a field is invalid: a key below `playground.problems`. */
export type Problem = 'required' | 'number' | 'whole' | 'json' | 'list' | 'uploading'

/** Returns the fields of an operation in form order. */
export function formFields(fields: readonly InputField[], above = ''): readonly FormField[] {
  return fields.flatMap((field): readonly FormField[] => {
    const { fields: inner, ...rest } = field
    const path = above === '' ? field.name : `${above}.${field.name}`
    if (inner && inner.length > 0)
      return formFields(
        field.required ? inner : inner.map((each) => ({ ...each, required: false })),
        path,
      )
    return [{ ...rest, path, kind: kindOf(field) }]
  })
}

/** Names of fields with multi-line text. */
const longNames = new Set(['text', 'input', 'query', 'prompt', 'description', 'instructions'])

function kindOf(field: InputField): ControlKind {
  const { type, list, choices, file } = field
  if (file) return list ? 'files' : 'file'
  if (type === 'text or JSON') return 'mixed'
  if (type === 'JSON') return 'json'
  if (choices.length > 0) return list ? 'choices' : 'choice'
  if (type === 'yes or no') return list ? 'json' : 'boolean'
  if (list) return type === 'text' ? 'lines' : 'json'
  if (type !== 'text') return 'number'
  return longNames.has(field.name) ? 'long' : 'text'
}

/** Returns the input to send, or the problems by path. Empty fields are omitted. */
export function inputOf(
  fields: readonly FormField[],
  draft: Draft,
):
  | { readonly input: Readonly<Record<string, unknown>> }
  | { readonly problems: Readonly<Record<string, Problem>> } {
  const input: Record<string, unknown> = {}
  const problems: Record<string, Problem> = {}
  for (const field of fields) {
    const read = valueOf(field, draft[field.path])
    if (read === undefined) {
      if (field.required) problems[field.path] = 'required'
    } else if ('problem' in read) problems[field.path] = read.problem
    else place(input, field.path.split('.'), read.value)
  }
  return Object.keys(problems).length > 0 ? { problems } : { input }
}

type Read = { readonly value: unknown } | { readonly problem: Problem } | undefined

function valueOf(field: FormField, typed: Draft[string] | undefined): Read {
  if (typed === undefined) return undefined
  if (typeof typed !== 'string') {
    if (typed.length === 0) return undefined
    const ids = typed.map(({ mediaId }) => mediaId)
    return { value: field.kind === 'file' ? ids[0] : ids }
  }
  if (typed.trim() === '') return undefined
  switch (field.kind) {
    case 'number':
      return numberOf(field, typed)
    case 'boolean':
      return { value: typed === 'true' }
    case 'choice':
      return { value: choiceOf(field, typed) }
    case 'choices':
      return { value: typed.split('\n').map((one) => choiceOf(field, one)) }
    case 'lines':
      return linesOf(typed)
    case 'mixed':
      return mixedOf(field, typed)
    case 'json':
      return jsonOf(field, typed)
    default:
      return { value: typed }
  }
}

function numberOf({ type }: FormField, typed: string): Read {
  const value = Number(typed.trim().replace(',', '.'))
  if (!Number.isFinite(value)) return { problem: 'number' }
  return type === 'integer' && !Number.isInteger(value) ? { problem: 'whole' } : { value }
}

const choiceOf = ({ choices }: FormField, typed: string): unknown =>
  choices.find((choice) => String(choice) === typed) ?? typed

/** Parses one text per line, or a JSON list for multi-line texts. */
function linesOf(typed: string): Read {
  const list = parsed(typed)
  if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return { value: list }
  const lines = typed.split('\n').filter((line) => line.trim() !== '')
  return { value: lines }
}

/** Returns the text unchanged unless it is a JSON list or object. */
function mixedOf({ list }: FormField, typed: string): Read {
  const value = parsed(typed)
  if (typeof value !== 'object' || value === null) return { value: list ? [typed] : typed }
  return { value: list && !Array.isArray(value) ? [value] : value }
}

function jsonOf({ list }: FormField, typed: string): Read {
  const value = parsed(typed)
  if (value === undefined) return { problem: 'json' }
  return list && !Array.isArray(value) ? { problem: 'list' } : { value }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function place(input: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    input[name] = value
    return
  }
  const inner = input[name]
  const box: Record<string, unknown> = typeof inner === 'object' ? { ...inner } : {}
  place(box, rest, value)
  input[name] = box
}

/** Returns the form values for an input: that of an earlier run. */
export function draftOf(
  fields: readonly FormField[],
  input: Readonly<Record<string, unknown>>,
  fileName: (mediaId: string) => string,
): Draft {
  const draft: Record<string, Draft[string]> = {}
  for (const field of fields) {
    const value = at(input, field.path.split('.'))
    if (value === undefined) continue
    draft[field.path] = field.file ? filesOf(value, fileName) : typedOf(field, value)
  }
  return draft
}

function at(input: unknown, path: readonly string[]): unknown {
  let value = input
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

function filesOf(value: unknown, fileName: (mediaId: string) => string): readonly ChosenFile[] {
  const ids = Array.isArray(value) ? value : [value]
  return ids
    .filter((id) => typeof id === 'string')
    .map((mediaId) => ({ mediaId, name: fileName(mediaId) }))
}

function typedOf({ kind, list }: FormField, value: unknown): string {
  const texts = Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (kind === 'lines' && texts)
    return value.some((each) => each.includes('\n')) ? pretty(value) : value.join('\n')
  if (kind === 'choices' && Array.isArray(value)) return value.join('\n')
  if (kind === 'mixed' && list && texts && value.length === 1) return value[0] ?? ''
  return typeof value === 'string' ? value : pretty(value)
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2) ?? ''

/** Returns the field that an error of main concerns, directly or inside it; undefined when there is none. */
export function fieldNamed(
  fields: readonly FormField[],
  what: string | number | undefined,
): FormField | undefined {
  if (what === undefined) return undefined
  const name = String(what)
  return fields.find(
    ({ path }) => name === path || name.startsWith(`${path}.`) || path.startsWith(`${name}.`),
  )
}

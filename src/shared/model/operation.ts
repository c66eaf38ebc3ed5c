/** Description of one input field of an operation, without its schema. */
export interface InputField {
  readonly name: string
  /** `text or JSON` accepts both: a text, or an object or list instead. */
  readonly type: 'text' | 'number' | 'integer' | 'yes or no' | 'JSON' | 'text or JSON'
  /** Whether several values of this type are allowed. */
  readonly list: boolean
  readonly required: boolean
  /** Allowed values; empty when any is. */
  readonly choices: readonly (string | number)[]
  /** Description, with the provider's known limits. */
  readonly about: string
  /** Whether it is a reference to a file. */
  readonly file: boolean
  /** Fields of a JSON object of a known shape; absent for everything else. */
  readonly fields?: readonly InputField[]
}

/** An operation of the provider as offered on a page. */
export interface OperationInfo {
  readonly name: string
  /** Sections of docs/service-notes.md. */
  readonly spec: string
  /** One English sentence. */
  readonly summary: string
  /** Whether each request that arrives creates something. */
  readonly creates: boolean
  /** Whether it emits events while running. */
  readonly streams: boolean
  /** Name of the file it writes; null when it writes none. */
  readonly writes: string | null
  readonly fields: readonly InputField[]
}

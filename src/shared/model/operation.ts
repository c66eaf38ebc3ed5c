/** One field of an operation's input, told without its schema. */
export interface InputField {
  readonly name: string
  /** `text or JSON` takes both: a text, or an object or list in its place. */
  readonly type: 'text' | 'number' | 'integer' | 'yes or no' | 'JSON' | 'text or JSON'
  /** Takes several of this type. */
  readonly list: boolean
  readonly required: boolean
  /** The only values it takes; empty when any will do. */
  readonly choices: readonly (string | number)[]
  /** What it is, and the limits the service is known to have. */
  readonly about: string
  /** A reference to a file. */
  readonly file: boolean
  /** What a JSON object of a known shape holds; absent for everything else. */
  readonly fields?: readonly InputField[]
}

/** An operation of the service, as a page offers it. */
export interface OperationInfo {
  readonly name: string
  /** Sections of docs/service-notes.md. */
  readonly spec: string
  /** One English sentence. */
  readonly summary: string
  /** Each call that arrives makes something. */
  readonly creates: boolean
  /** Tells events while it runs. */
  readonly streams: boolean
  /** Name of the file it writes, null when it writes none. */
  readonly writes: string | null
  readonly fields: readonly InputField[]
}

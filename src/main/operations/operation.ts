import type { z } from 'zod'
import type { FileKind } from '../../shared/audio/kind.ts'
import type { Answered, RawReply } from '../api/answer.ts'
import type { FormFile } from '../api/multipart.ts'
import type { Api, CallOptions, ServiceTarget } from '../api/types.ts'
import { AppError, misfit } from '../errors.ts'

/** A file that an operation sends, with what its content says of it. */
export interface InputFile extends FormFile {
  /** By the first bytes, never by the name. */
  readonly kind: FileKind
  /** Pages of a PDF; null for other files, and where they cannot be counted. */
  pages(): Promise<number | null>
}

/** One event of a running operation: plain JSON, told apart by `type`. */
export interface OperationEvent {
  readonly type: string
}

/** What an operation may use; made for each run. */
export interface OperationContext {
  readonly api: Api
  readonly target: ServiceTarget
  readonly signal: AbortSignal
  /** 6 to 64 characters; absent: the client makes one. */
  readonly requestId?: string
  /** The file behind a reference: a path on the command line, a media id in the app. Throws FILE_MISSING or NOT_FOUND. */
  file(reference: string): Promise<InputFile>
  /** Where the file that the operation writes under this name goes. */
  output(name: string): Promise<string>
  /** Many vectors are written to a file in place of being told as lists of numbers. */
  readonly vectorsInFile?: true
  /** Gets the reply of each call of an operation that makes several, as it comes: they are not joined. */
  onRaw?(raw: RawReply): void
  /** Gets each event in order, before the operation goes on. */
  onEvent(event: OperationEvent): void
}

/** One operation of the service: what it is called, takes and does. */
export interface Operation {
  /** Sections of docs/service-notes.md. */
  readonly spec: string
  /** One sentence. */
  readonly summary: string
  /** Strict; field names are those of the client's request types, file fields hold references. */
  readonly input: z.ZodObject
  /** Each call that arrives makes something: never repeated by itself. */
  readonly creates: boolean
  /** Tells events while it runs. */
  readonly streams: boolean
  /** Names of the input fields that hold references to files. */
  readonly takes: readonly string[]
  /** Name of the file it writes, null when it writes none. */
  readonly writes: string | null
  /** Throws AppError: BAD_REQUEST for an input that does not fit, and whatever the client throws. */
  run(context: OperationContext, input: unknown): Promise<Answered<unknown>>
}

type About = Pick<Operation, 'spec' | 'summary'> &
  Partial<Pick<Operation, 'creates' | 'streams' | 'takes' | 'writes'>>

/** Declares an operation: what is said of it, the schema of its input, and the call it makes. */
export function operation<S extends z.ZodObject>(
  about: About,
  input: S,
  call: (context: OperationContext, input: z.output<S>) => Promise<Answered<unknown>>,
): Operation {
  return {
    creates: false,
    streams: false,
    takes: [],
    writes: null,
    ...about,
    input,
    run: async (context, given) => call(context, parseInput(input, given)),
  }
}

/** The input as its schema has it. Throws BAD_REQUEST whose params name the field and the reason, never the value. */
export function parseInput<S extends z.ZodObject>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const { what, reason } = misfit(parsed.error.issues)
  throw new AppError('BAD_REQUEST', `${what}: ${reason}`, { params: { what, reason } })
}

/** The options every call gets from its context. */
export const callOptions = (context: OperationContext): CallOptions & { signal: AbortSignal } => ({
  signal: context.signal,
  ...(context.requestId !== undefined && { requestId: context.requestId }),
})

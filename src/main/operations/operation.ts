import type { z } from 'zod'
import type { FileKind } from '../../shared/audio/kind.ts'
import type { Answered, RawReply, CallOptions, ServiceTarget } from '../provider-client/types.ts'
import type { Endpoint } from '../provider-client/json-call.ts'
import type { FormFile } from '../provider-client/multipart.ts'
import type { Api } from '../provider-client/api.ts'
import { AppError, misfit } from '../errors.ts'

/** A file that an operation sends, with facts detected from its content. */
export interface InputFile extends FormFile {
  /** Type by the first bytes, never by the name. */
  readonly kind: FileKind
  /** Returns the number of pages of a PDF; null for other files, and if they cannot be counted. */
  pages(): Promise<number | null>
}

/** One event of a running operation: plain JSON, distinguished by `type`. */
export interface OperationEvent {
  readonly type: string
}

/** Resources of an operation; created for each run. */
export interface OperationContext {
  readonly api: Api
  readonly target: ServiceTarget
  readonly signal: AbortSignal
  /** 6 to 64 characters; if absent, the client creates one. */
  readonly requestId?: string
  /**
   * Returns the file of a reference: a path on the command line, a media ID in the app. Throws FILE_MISSING or NOT_FOUND.
   */
  file(reference: string): Promise<InputFile>
  /** Returns the path for an output file of this name. */
  output(name: string): Promise<string>
  /** If set, many vectors are written to a file instead of being returned as lists of numbers. */
  readonly vectorsInFile?: true
  /** Receives the raw response of each call of an operation with several calls; they are not joined. */
  onRaw?(raw: RawReply): void
  /** Receives each event in order, before the operation continues. */
  onEvent(event: OperationEvent): void
}

/** One operation of the provider: its description, input and call. */
export interface Operation {
  /** Sections of docs/service-notes.md. */
  readonly spec: string
  /** One sentence. */
  readonly summary: string
  /** Strict; field names are those of the client's request types, file fields contain references. */
  readonly input: z.ZodObject
  /** Whether each received call creates something, so that it must never be retried automatically. */
  readonly creates: boolean
  /** Whether it emits events while it runs. */
  readonly streams: boolean
  /** Names of the input fields that contain file references. */
  readonly takes: readonly string[]
  /** Name of its output file, null if it writes none. */
  readonly writes: string | null
  /** Throws AppError: BAD_REQUEST for an invalid input, and any error of the client. */
  run(context: OperationContext, input: unknown): Promise<Answered<unknown>>
}

type About = Pick<Operation, 'spec' | 'summary'> &
  Partial<Pick<Operation, 'creates' | 'streams' | 'takes' | 'writes'>>

/** Declares an operation: its description, the schema of its input, and its call. */
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

/**
 * Validates the input with its schema. Throws BAD_REQUEST whose params contain the field and the reason, never the value.
 */
export function parseInput<S extends z.ZodObject>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const { what, reason } = misfit(parsed.error.issues)
  throw new AppError('BAD_REQUEST', `${what}: ${reason}`, { params: { what, reason } })
}

/** Returns the options that every call gets from its context. */
export const callOptions = (context: OperationContext): CallOptions & { signal: AbortSignal } => ({
  signal: context.signal,
  ...(context.requestId !== undefined && { requestId: context.requestId }),
})

/** The call of an operation whose input is the request of an endpoint as it is. */
export const callOf =
  <Request>(endpointOf: (api: Api) => Endpoint<Request, unknown>) =>
  (context: OperationContext, input: Request): Promise<Answered<unknown>> =>
    endpointOf(context.api)(context.target, input, callOptions(context))

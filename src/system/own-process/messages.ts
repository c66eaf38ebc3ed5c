/** Program that runs in a separate process. */
export interface OwnProgram {
  /** URL of the program, which is written for a worker thread. */
  readonly url: string
  readonly name: string
  /** Value of `workerData` in the program. */
  readonly data: unknown
  /** Maximum megabytes of its JavaScript heap. */
  readonly heapMegabytes: number
  /** Bytes by which the process may grow while the program works; beyond it the process ends. */
  readonly maxGrowth: number
}

/** Messages to a process: the program first, then the messages to the program, and the growth allowed from now on. */
export type ToProcess =
  | { readonly t: 'start'; readonly program: OwnProgram }
  | { readonly t: 'message'; readonly data: unknown }
  | { readonly t: 'growth'; readonly maxBytes: number }

export type FromProcess =
  | { readonly t: 'message'; readonly data: unknown }
  | { readonly t: 'error'; readonly message: string; readonly code: string | null }

/** Error code for a program that exceeded its memory limit: the one Node uses for its workers. */
export const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY'

/** A program that is to run in a process of its own. */
export interface OwnProgram {
  /** Address of the program, which is written for a worker thread. */
  readonly url: string
  readonly name: string
  /** What it gets as `workerData`. */
  readonly data: unknown
  /** Megabytes of JavaScript values that it may hold. */
  readonly heapMegabytes: number
  /** Bytes by which the process may grow while the program works; beyond it the process ends. */
  readonly maxGrowth: number
}

/** What a process is told: the program first, then what the program is told, and how much it may grow from now on. */
export type ToProcess =
  | { readonly t: 'start'; readonly program: OwnProgram }
  | { readonly t: 'message'; readonly data: unknown }
  | { readonly t: 'growth'; readonly maxBytes: number }

/** What a process says. */
export type FromProcess =
  | { readonly t: 'message'; readonly data: unknown }
  | { readonly t: 'error'; readonly message: string; readonly code: string | null }

/** The code of an error that says a program took more memory than it may: that of Node for its workers. */
export const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY'

/** Progress of long-running work in memory shared by both threads, with the request to cancel it. */
export interface Progress {
  /** Adds to the completed amount. Throws CANCELLED if the work was canceled. */
  add(bytes: number): void
  /** Sets the total of a phase and restarts the count. */
  begin(phase: ProgressPhase, total: number): void
}

const progressPhases = ['preparing', 'copying', 'checking', 'placing'] as const
/** One of {@link progressPhases}. */
type ProgressPhase = (typeof progressPhases)[number]

/** Bytes of the shared memory: done, total, phase, cancel request. */
const bytes = 32

/** Side that observes the progress and can cancel the work. */
export interface ProgressOwner {
  readonly memory: SharedArrayBuffer
  read(): { readonly phase: ProgressPhase; readonly done: number; readonly total: number }
  cancel(): void
  readonly cancelled: boolean
}

/** Creates the side that observes the progress and can cancel the work. */
export function progressOwner(): ProgressOwner {
  const memory = new SharedArrayBuffer(bytes)
  const cells = new BigInt64Array(memory)
  return {
    memory,
    read: () => ({
      phase: progressPhases[Number(Atomics.load(cells, 2))] ?? 'preparing',
      done: Number(Atomics.load(cells, 0)),
      total: Number(Atomics.load(cells, 1)),
    }),
    cancel: () => void Atomics.store(cells, 3, 1n),
    get cancelled() {
      return Atomics.load(cells, 3) === 1n
    },
  }
}

/** Creates the side that does the work. */
export function progressIn(memory: SharedArrayBuffer): Progress {
  const cells = new BigInt64Array(memory)
  const mayGoOn = (): void => {
    if (Atomics.load(cells, 3) === 1n)
      throw Object.assign(new Error('Stopped'), { code: 'CANCELLED' })
  }
  return {
    add(done) {
      mayGoOn()
      Atomics.add(cells, 0, BigInt(done))
    },
    begin(phase, total) {
      mayGoOn()
      Atomics.store(cells, 2, BigInt(progressPhases.indexOf(phase)))
      Atomics.store(cells, 0, 0n)
      Atomics.store(cells, 1, BigInt(total))
    },
  }
}

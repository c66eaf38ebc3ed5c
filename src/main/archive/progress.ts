/** How far a long piece of work is, in memory that both threads see; and the wish that it ends. */
export interface Progress {
  /** Adds to what is done. Throws CANCELLED when the work is not wanted any more. */
  add(bytes: number): void
  /** Says how much there is, and begins to count anew. */
  begin(phase: ProgressPhase, total: number): void
}

/** What is done just now. */
export const progressPhases = ['preparing', 'copying', 'checking', 'placing'] as const
/** One of {@link progressPhases}. */
export type ProgressPhase = (typeof progressPhases)[number]

/** Bytes of the shared memory: done, total, phase, wish to end. */
const bytes = 32

/** The two ends of it. */
export interface ProgressOwner {
  readonly memory: SharedArrayBuffer
  read(): { readonly phase: ProgressPhase; readonly done: number; readonly total: number }
  cancel(): void
  readonly cancelled: boolean
}

/** The end that looks and may call it off. */
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

/** The end that works. */
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

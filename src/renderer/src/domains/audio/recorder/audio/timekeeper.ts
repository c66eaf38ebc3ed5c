/** Time data of a block. */
interface Tick {
  /** Number of recorded frames of the block, at its sample rate. */
  readonly frames: number
  /** Wall clock at capture, Unix ms: continues while the computer sleeps, and jumps when it is set. */
  readonly wallMs: number
  /** Monotonic clock in ms, which may stop while the computer sleeps. */
  readonly steadyMs: number
}

/** Distinguishes missing audio (suspension, sleep) from blocks that were only late. */
interface Timekeeper {
  /**
   * Adds a block. `hold`: the block was late, and the next ones decide whether audio is missing before it; `gapMs`: the decision
   * (0 for no gap) for all held blocks; null when there was nothing to decide.
   */
  take(tick: Tick): { readonly hold: boolean; readonly gapMs: number | null }
  /** Decides immediately, at the end of a recording. */
  settle(): number
  /** Called when a pause ended: compares the clocks again starting with the next block. */
  restart(): void
  /** Returns the parts per million by which frames run ahead of the steady clock since the last gap; null before 30 s. */
  driftPpm(): number | null
  /** Returns the same as a fraction, over the last 20 s; null while unknown. */
  paceError(): number | null
}

/** Delay in ms beyond which audio seems to be missing: far above the audio jitter of a busy machine. */
const lateMs = 1000
/** Wall time alone proves a sleep from this many ms on; below, a clock change would be mistaken for one. */
const wallAloneMs = 5000
/** Observation time in ms before the decision: blocks that were only late arrive in a burst meanwhile. */
const watchMs = 1000
/** Long compared to the second by which audio may be late on a busy machine: only a wrong rate is off by 6% for so long. */
const paceWindowMs = 20_000
const driftAfterMs = 30_000

interface Lag {
  readonly wall: number
  readonly steady: number
}

/** Creates a timekeeper for frames at `sampleRate`. */
export function createTimekeeper(sampleRate: number): Timekeeper {
  let origin: Tick | null = null
  let audioMs = 0
  let before: Lag = { wall: 0, steady: 0 }
  let held: { minLag: Lag; readonly since: number } | null = null
  let window: { audioMs: number; steadyMs: number } | null = null
  let pace: number | null = null
  let latest = 0

  const restart = (): void => {
    origin = null
    held = null
    window = null
    pace = null
  }
  const decide = (): number => {
    const minLag = held?.minLag ?? before
    held = null
    const wall = minLag.wall - before.wall
    const steady = minLag.steady - before.steady
    const gap = wall >= wallAloneMs ? wall : Math.min(wall, steady)
    before = minLag
    window = null
    if (gap < lateMs / 2) return 0
    restart()
    return Math.round(gap)
  }
  const measurePace = (steadyMs: number): void => {
    window ??= { audioMs, steadyMs }
    if (steadyMs - window.steadyMs < paceWindowMs) return
    pace = (audioMs - window.audioMs) / (steadyMs - window.steadyMs) - 1
    window = { audioMs, steadyMs }
  }
  return {
    take(tick) {
      const ms = (tick.frames * 1000) / sampleRate
      latest = tick.steadyMs
      if (!origin) {
        origin = tick
        audioMs = 0
        before = { wall: 0, steady: 0 }
        return { hold: false, gapMs: null }
      }
      audioMs += ms
      const lag: Lag = {
        wall: tick.wallMs - origin.wallMs - audioMs,
        steady: tick.steadyMs - origin.steadyMs - audioMs,
      }
      if (held) {
        held.minLag = {
          wall: Math.min(held.minLag.wall, lag.wall),
          steady: Math.min(held.minLag.steady, lag.steady),
        }
        if (tick.steadyMs - held.since < watchMs) return { hold: true, gapMs: null }
        return { hold: false, gapMs: decide() }
      }
      if (lag.wall - before.wall > lateMs) {
        held = { minLag: lag, since: tick.steadyMs }
        return { hold: true, gapMs: null }
      }
      before = lag
      measurePace(tick.steadyMs)
      return { hold: false, gapMs: null }
    },
    settle: () => (held ? decide() : 0),
    restart,
    driftPpm() {
      if (!origin) return null
      const elapsed = latest - origin.steadyMs
      return elapsed < driftAfterMs ? null : Math.round((audioMs / elapsed - 1) * 1_000_000)
    },
    paceError: () => pace,
  }
}

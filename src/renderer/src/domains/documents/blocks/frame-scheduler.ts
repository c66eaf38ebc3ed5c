/** Maximum milliseconds of a frame for rendering, before the browser lays out what was inserted. */
const sliceMs = 8
/**
 * Maximum number of elements inserted into the page per frame: laying them out takes about as long as creating them.
 */
const elementsOfFrame = 120

/** Incremental rendering; returns true when it is done. */
type DrawMore = (shouldContinue: (put: number) => boolean) => boolean

/** Shares the time of each frame between all renderings in progress. */
export interface FrameTurns {
  /**
   * Renders what there is time for now, and the rest in later frames; `done` is called when everything is rendered,
   * perhaps immediately. Returns a function that cancels it.
   */
  begin(drawMore: DrawMore, done: () => void): () => void
}

/** The page's clock and animation frames. */
interface Frames {
  readonly now: () => number
  readonly ask: (frame: () => void) => void
}

interface Turn {
  readonly drawMore: DrawMore
  readonly done: () => void
}

/** Creates a scheduler with nothing to render. */
export function createFrameTurns({ now, ask }: Frames): FrameTurns {
  const waiting: Turn[] = []
  /** Remaining budget of the frame; null when no frame is in progress. */
  let share: { readonly until: number; elements: number } | null = null
  /** Whether the budget was started between frames: the next frame shows what was rendered with it. */
  let between = false

  const spent = (): boolean => !share || share.elements <= 0 || now() >= share.until
  const reserveShare = (): void => {
    share = { until: now() + sliceMs, elements: elementsOfFrame }
    ask(frame)
  }
  /** Runs one turn: at least one step, at most the remaining budget. */
  const take = ({ drawMore }: Turn): boolean => {
    let before = 0
    let first = true
    return drawMore((put) => {
      if (share) share.elements -= put - before
      before = put
      if (!first) return !spent()
      first = false
      return true
    })
  }
  function frame(): void {
    if (between) {
      between = false
      ask(frame)
      return
    }
    share = null
    if (waiting.length === 0) return
    reserveShare()
    // Large items are moved behind the others, so that small ones need not wait for them.
    for (const turn of waiting.slice()) {
      if (spent()) break
      leave(turn)
      if (take(turn)) turn.done()
      else waiting.push(turn)
    }
  }
  const leave = (turn: Turn): void => {
    const at = waiting.indexOf(turn)
    if (at !== -1) waiting.splice(at, 1)
  }
  return {
    begin(drawMore, done) {
      const turn = { drawMore, done }
      if (!share) {
        between = true
        reserveShare()
      }
      if (!spent() && take(turn)) done()
      else waiting.push(turn)
      return () => leave(turn)
    },
  }
}

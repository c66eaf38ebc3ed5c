/** Milliseconds of a frame that drawing may take, before the browser lays out what was put in. */
const sliceMs = 8
/** Elements that may be put into the page before a frame is shown: laying them out takes about as long as making them. */
const elementsOfFrame = 120

/** Something that is drawn a little at a time; true when it is done. */
export type DrawMore = (goOn: (put: number) => boolean) => boolean

/** Shares the time of each frame between all that is being drawn. */
export interface FrameTurns {
  /** Draws what there is time for now, and the rest in the frames to come; `done` is called when all is there, perhaps at once. Gives what ends it. */
  begin(drawMore: DrawMore, done: () => void): () => void
}

/** The page's clock and frames. */
export interface Frames {
  readonly now: () => number
  readonly ask: (frame: () => void) => void
}

interface Turn {
  readonly drawMore: DrawMore
  readonly done: () => void
}

/** Builds it, with nothing to draw. */
export function createFrameTurns({ now, ask }: Frames): FrameTurns {
  const waiting: Turn[] = []
  /** What is left of the frame's share; null when no frame is under way. */
  let share: { readonly until: number; elements: number } | null = null
  /** The share was begun between frames: the next frame shows what was done with it. */
  let between = false

  const spent = (): boolean => !share || share.elements <= 0 || now() >= share.until
  const reserveShare = (): void => {
    share = { until: now() + sliceMs, elements: elementsOfFrame }
    ask(frame)
  }
  /** One turn: at least a step, at most what is left. */
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
    // What is large goes behind the others, so that small things need not wait for it.
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

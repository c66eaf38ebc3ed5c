/** Canvases that are used again. */
export interface CanvasPool {
  /** A canvas nobody uses; null when all are in use. */
  take(): HTMLCanvasElement | null
  give(canvas: HTMLCanvasElement): void
  /** Frees the memory of all of them. */
  close(): void
}

/** At most `most` canvases, with their memory given back as soon as one is not used: a browser keeps it otherwise until it collects. */
export function createCanvasPool(
  maxCanvases: number,
  make: () => HTMLCanvasElement = () => document.createElement('canvas'),
): CanvasPool {
  const free: HTMLCanvasElement[] = []
  const all = new Set<HTMLCanvasElement>()
  const empty = (canvas: HTMLCanvasElement): void => {
    canvas.width = 0
    canvas.height = 0
  }
  return {
    take() {
      const canvas = free.pop() ?? (all.size < maxCanvases ? make() : null)
      if (canvas) all.add(canvas)
      return canvas
    },
    give(canvas) {
      canvas.remove()
      empty(canvas)
      if (all.has(canvas) && !free.includes(canvas)) free.push(canvas)
    },
    close() {
      for (const canvas of all) {
        canvas.remove()
        empty(canvas)
      }
      all.clear()
      free.length = 0
    },
  }
}

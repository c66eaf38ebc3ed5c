/** Pool of reusable canvases. */
interface CanvasPool {
  /** Returns an unused canvas; null when all are in use. */
  take(): HTMLCanvasElement | null
  give(canvas: HTMLCanvasElement): void
  /** Frees the memory of all canvases. */
  close(): void
}

/**
 * Creates a pool of at most `most` canvases. Their memory is freed as soon as they are unused: a browser would otherwise
 * wait for garbage collection.
 */
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

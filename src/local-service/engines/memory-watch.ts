/** Milliseconds between two checks: images of a PDF are unpacked at several hundred megabytes per second. */
const period = 100

/**
 * Watches the memory of the process until stopped; calls `onTooMuch` once when it has grown by more than `mostGrowth`
 * bytes. Nothing else limits the memory of WebAssembly, images and buffers.
 */
export function watchMemory(maxGrowth: number, onTooMuch: () => void): { stop(): void } {
  const start = process.memoryUsage.rss()
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() - start <= maxGrowth) return
    clearInterval(timer)
    onTooMuch()
  }, period)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

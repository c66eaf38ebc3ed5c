/** Milliseconds between two looks: a picture of a PDF is unpacked at some hundred megabytes a second. */
const period = 100

/**
 * Looks after the memory of the process until it is stopped; calls once when it grew by more than `mostGrowth` bytes.
 * Memory of WebAssembly, pictures and buffers is bounded by nothing else.
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

/** A thread that keeps the largest resident size (bytes) it sees in its shared number, looking every 5 ms. */
export const peakSampler = `
  const peak = new Float64Array(require('node:worker_threads').workerData)
  setInterval(() => {
    const now = process.memoryUsage.rss()
    if (now > peak[0]) peak[0] = now
  }, 5)
`

/** Code of a thread that samples the resident size every 5 ms and stores the maximum (bytes) in its shared number. */
export const peakSampler = `
  const peak = new Float64Array(require('node:worker_threads').workerData)
  setInterval(() => {
    const now = process.memoryUsage.rss()
    if (now > peak[0]) peak[0] = now
  }, 5)
`

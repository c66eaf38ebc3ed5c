/**
 * Loads the app once the static frame of the document was painted: no code delays the first frame. It is painted at the end of
 * the frame that is requested here, and reported when it is on the screen, which may be earlier or several milliseconds later.
 * A page that is not visible is not painted, so a timer is the fallback.
 */
let started = false
const start = (): void => {
  if (started) return
  started = true
  void import('./main.ts')
}
new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = start
  port2.postMessage(null)
})
setTimeout(start, 250)

/**
 * Loads the app once the static frame of the document is on the screen: no code delays the first frame.
 * A page that is not visible is not painted, so a timer is the fallback.
 */
let started = false
const start = (): void => {
  if (started) return
  started = true
  void import('./main.ts')
}
new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
setTimeout(start, 250)

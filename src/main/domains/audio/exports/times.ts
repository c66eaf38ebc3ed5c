/** Returns `1:02:03` or `2:03`: a position on the timeline in whole seconds, rounded down. */
export function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number): string => String(value).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** Returns `00:01:02,003` (SRT) or `00:01:02.003` (VTT). */
export function cueTime(ms: number, dot: ',' | '.'): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const seconds = Math.floor(ms / 1000)
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${clock.map(two).join(':')}${dot}${String(ms % 1000).padStart(3, '0')}`
}

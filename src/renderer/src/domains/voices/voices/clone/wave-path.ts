/** The outline of a waveform in a box of 1,500 by 254, from alternating minimum and maximum of each column. */
export function wavePath(peaks: readonly number[]): string {
  const count = peaks.length / 2
  if (count < 1) return ''
  const x = (column: number): string => ((column * 1500) / count).toFixed(1)
  const tops: string[] = []
  const bottoms: string[] = []
  for (let column = 0; column < count; column++) {
    const low = Math.min(0, peaks[column * 2] ?? 0)
    const high = Math.max(0, peaks[column * 2 + 1] ?? 0)
    // Silence stays a thin line.
    tops.push(`${x(column)} ${127 - Math.max(0.75, high)}`)
    bottoms.push(`${x(column)} ${127 - Math.min(-0.75, low)}`)
  }
  return `M${tops.join('L')}L${bottoms.toReversed().join('L')}Z`
}

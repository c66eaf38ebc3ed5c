/** Longest wait a Retry-After header is believed to ask for. */
const longestMs = 3_600_000

/** The milliseconds a Retry-After header asks to wait: seconds or an HTTP date, bounded to an hour; null when it says nothing usable. */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, longestMs)
  // Date.parse takes almost anything; an HTTP date starts with the day's name.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now, 0), longestMs)
}

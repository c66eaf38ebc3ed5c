/** Longest wait a Retry-After header is believed to ask for. */
const maxRetryAfterMs = 3_600_000

/** A form of HTTP dates that names no zone, and means UTC (RFC 9110, 5.6.7): `Sun Nov  6 08:49:37 1994`. */
const withoutZone = /^[A-Za-z]{3} [A-Za-z]{3} {1,2}\d{1,2} \d\d:\d\d:\d\d \d{4}$/
/** Any date that says its zone. `Date.parse` alone takes almost anything. */
const withZone = /^(?=.*\d{4}|.*-\d\d )[\w,:. +-]+(GMT|UTC|Z|[+-]\d\d:?\d\d)$/

/** Unix milliseconds of an HTTP date; null for anything else. */
export function httpDate(header: string | null): number | null {
  const text = header?.trim() ?? ''
  const at = withoutZone.test(text)
    ? Date.parse(`${text} GMT`)
    : withZone.test(text)
      ? Date.parse(text)
      : Number.NaN
  return Number.isNaN(at) ? null : at
}

/**
 * The milliseconds a Retry-After header asks to wait: seconds or an HTTP date, bounded to an hour; null when it says nothing usable.
 * `now` is the sender's time, which its `Date` header tells: its clock may not be ours.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs)
  const at = httpDate(text)
  return at === null ? null : Math.min(Math.max(at - now, 0), maxRetryAfterMs)
}

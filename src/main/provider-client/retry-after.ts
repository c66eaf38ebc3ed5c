/** Maximum wait accepted from a Retry-After header, in milliseconds. */
const maxRetryAfterMs = 3_600_000

/** An HTTP date format without a time zone, which means UTC (RFC 9110, 5.6.7): `Sun Nov  6 08:49:37 1994`. */
const withoutZone = /^[A-Za-z]{3} [A-Za-z]{3} {1,2}\d{1,2} \d\d:\d\d:\d\d \d{4}$/
/** Any date with a time zone. `Date.parse` alone accepts almost anything. */
const withZone = /^(?=.*\d{4}|.*-\d\d )[\w,:. +-]+(GMT|UTC|Z|[+-]\d\d:?\d\d)$/

/** Returns the Unix milliseconds of an HTTP date; null for anything else. */
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
 * Returns the milliseconds a Retry-After header requests: seconds or an HTTP date, limited to an hour; null when it is not
 * usable. `now` is the sender's time from its `Date` header, since its clock may differ from ours.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs)
  const at = httpDate(text)
  return at === null ? null : Math.min(Math.max(at - now, 0), maxRetryAfterMs)
}

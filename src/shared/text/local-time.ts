const two = (number: number): string => String(number).padStart(2, '0')

/** Returns the local date of a time (Unix milliseconds): `YYYY-MM-DD`. */
export function localDay(at: number): string {
  const date = new Date(at)
  const year = String(date.getFullYear()).padStart(4, '0')
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Returns local hours, minutes and seconds with a separator: `09:05:07`. */
export function localClock(at: number, between = ':'): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(between)
}

/** Returns a local time to the minute: `YYYY-MM-DD HH:MM`. */
export const localMinute = (at: number): string => `${localDay(at)} ${localClock(at).slice(0, 5)}`

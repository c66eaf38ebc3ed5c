const two = (number: number): string => String(number).padStart(2, '0')

/** A moment (Unix milliseconds) as voices tell it: `YYYY-MM-DD HH:MM:SS` on this computer's clock (spec 2.2). */
export function localTime(at: number): string {
  const date = new Date(at)
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}

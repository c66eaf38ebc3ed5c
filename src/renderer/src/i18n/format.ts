import { formatClock } from '../../../shared/text/clock.ts'

/** Bytes in powers of 1024 with at most one decimal: `25 MB`, `1.4 GB`. */
export function formatBytes(bytes: number, language: string): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1
  const text = value.toLocaleString(language, { maximumFractionDigits: digits })
  return `${text} ${units[unit] ?? 'B'}`
}

/** A duration for a sentence: `30 s`, in Chinese `30 秒`; `4:05` from a hundred seconds on. */
export function formatSeconds(seconds: number, language: string): string {
  if (seconds >= 100) return formatClock(seconds)
  const unit = language.startsWith('zh') ? '秒' : 's'
  return `${seconds.toLocaleString(language, { maximumFractionDigits: 1 })} ${unit}`
}

/** Duration of a request: `85 ms`, `1.9 s`. */
export function formatMs(ms: number, language: string): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return `${(ms / 1000).toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`
}

/** Time of day: `14:05`. */
export function formatTime(at: number, language: string): string {
  return new Date(at).toLocaleTimeString(language, { hour: 'numeric', minute: '2-digit' })
}

/** Day and month, with the year only if it is not the current one: `Nov 22`. */
export function formatDate(at: number, language: string, now = Date.now()): string {
  const date = new Date(at)
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleDateString(language, {
    ...(sameYear ? {} : { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
  })
}

/** Date and time, with the year only if it is not the current one. */
export function formatDateTime(at: number, language: string, now = Date.now()): string {
  const date = new Date(at)
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleString(language, {
    ...(sameYear ? {} : { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  })
}

/**
 * Date and time to the second, with the year only if it is not the current one: distinguishes items created shortly after each
 * other.
 */
export function formatMoment(at: number, language: string, now = Date.now()): string {
  const date = new Date(at)
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleString(language, {
    ...(sameYear ? {} : { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  })
}

/** Separator between two sentences: a space, but nothing after Chinese full stops, which include it. */
export function sentenceGap(language: string): '' | ' ' {
  return language.startsWith('zh') ? '' : ' '
}

/** Date and time to the second, for details. */
export function formatExact(at: number, language: string): string {
  return new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' })
}

/** Heading of a list for a moment. */
type DayGroup =
  | { readonly kind: 'today' | 'yesterday' | 'week' }
  | { readonly kind: 'month'; readonly label: string }

/** Groups a moment by local calendar days. */
export function dayGroup(at: number, now: number, language: string): DayGroup {
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  const today = midnight.getTime()
  if (at >= today) return { kind: 'today' }
  // Days have 23 to 25 hours when clocks change: count back in dates, not in hours.
  const back = (days: number): number => new Date(today).setDate(midnight.getDate() - days)
  if (at >= back(1)) return { kind: 'yesterday' }
  if (at >= back(6)) return { kind: 'week' }
  return {
    kind: 'month',
    label: new Date(at).toLocaleDateString(language, { year: 'numeric', month: 'long' }),
  }
}

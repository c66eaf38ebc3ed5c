import type { Line } from '../../../../../shared/model/meeting.ts'

/** Talk of a speaker: number of lines, and their total length in milliseconds. */
interface TalkTime {
  readonly lines: number
  readonly ms: number
}

/** Returns the lines and their length by speaker. */
export function talkTimes(lines: readonly Line[]): ReadonlyMap<string, TalkTime> {
  const times = new Map<string, TalkTime>()
  for (const { speakerId, startMs, endMs } of lines) {
    const before = times.get(speakerId)
    times.set(speakerId, {
      lines: (before?.lines ?? 0) + 1,
      ms: (before?.ms ?? 0) + endMs - startMs,
    })
  }
  return times
}

/** Returns the engines that transcribed lines, the one with the most first. */
export function enginesOf(
  lines: readonly Line[],
): readonly { readonly accountName: string; readonly model: string }[] {
  const count = new Map<string, { accountName: string; model: string; lines: number }>()
  for (const { accountName, model } of lines) {
    const key = `${accountName}\n${model}`
    const entry = count.get(key) ?? { accountName, model, lines: 0 }
    entry.lines++
    count.set(key, entry)
  }
  return Array.from(count.values())
    .toSorted((a, b) => b.lines - a.lines)
    .map(({ accountName, model }) => ({ accountName, model }))
}

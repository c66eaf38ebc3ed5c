import type { PushedEvent } from '../../shared/bridge/transport.ts'
import type { PortAnswer } from '../../shared/bridge/port.ts'

/** Events and characters that may wait for a page that does not read, and after how many of them it is asked to confirm. */
export const pushBounds = {
  waiting: { events: 4096, characters: 8 * 1024 * 1024 },
  confirm: { events: 64, characters: 512 * 1024 },
} as const

/** Events on their way to one page. */
export interface PushWindow {
  /** The message that carries this event; null while the page is behind, and misses it. */
  message(event: PushedEvent): PortAnswer | null
  /** The page confirms what it read. What it missed is told by the message this gives, once nothing else waits. */
  confirmed(mark: number): PortAnswer | null
}

interface Count {
  events: number
  characters: number
}

/** Bounds what waits for one page: a port takes whatever is put into it, and a page may not read for minutes. */
export function createPushWindow(): PushWindow {
  const sent: Count = { events: 0, characters: 0 }
  let read: Count = { ...sent }
  /** What was sent up to each mark that the page has not confirmed. */
  const marks = new Map<number, Count>()
  let marked: Count = { ...sent }
  let lastMark = 0
  let missed = false
  let mayWait: number = pushBounds.waiting.characters

  const isSince = (since: Count, max: Count): boolean =>
    sent.events - since.events >= max.events ||
    sent.characters - since.characters >= max.characters

  return {
    message(event) {
      const { events, characters } = pushBounds.waiting
      missed ||= isSince(read, { events, characters: mayWait })
      if (missed) return null
      const length = lengthOf(event)
      // One that is large by itself may wait beside the others: a page that reads takes it, however long that lasts.
      if (sent.characters - read.characters < characters) mayWait = characters + length
      sent.events += 1
      sent.characters += length
      if (!isSince(marked, pushBounds.confirm)) return { t: 'push', event }
      marked = { ...sent }
      marks.set(++lastMark, marked)
      return { t: 'push', event, confirm: lastMark }
    },
    confirmed(mark) {
      read = marks.get(mark) ?? read
      for (const each of marks.keys()) if (each <= mark) marks.delete(each)
      if (!missed || marks.size > 0) return null
      missed = false
      return { t: 'missed' }
    },
  }
}

const lengths = new WeakMap<object, number>()

/** Measured once, however many pages an event goes to. */
function lengthOf({ event }: PushedEvent): number {
  const known = lengths.get(event)
  if (known !== undefined) return known
  const length = JSON.stringify(event).length
  lengths.set(event, length)
  return length
}

import type { PushedEvent } from '../../../shared/contract/transport.ts'
import type { PortAnswer } from '../../../shared/contract/port.ts'

/**
 * Limits of the events and characters waiting for a page that does not read, and after how many it is asked to confirm.
 */
export const pushBounds = {
  waiting: { events: 4096, characters: 8 * 1024 * 1024 },
  confirm: { events: 64, characters: 512 * 1024 },
} as const

/** Flow control of the events sent to one page. */
export interface PushWindow {
  /**
   * Returns the message that carries this event; null while the page is behind, which then misses the event.
   */
  message(event: PushedEvent): PortAnswer | null
  /**
   * Handles a confirmation of the page. Returns a message that reports missed events, once nothing else is waiting.
   */
  confirmed(mark: number): PortAnswer | null
}

interface Count {
  events: number
  characters: number
}

/** Limits what waits for one page: a port accepts any amount of data, and a page may not read for minutes. */
export function createPushWindow(): PushWindow {
  const sent: Count = { events: 0, characters: 0 }
  let read: Count = { ...sent }
  /** Amount sent up to each mark that the page has not confirmed. */
  const marks = new Map<number, Count>()
  let marked: Count = { ...sent }
  let lastMark = 0
  let missed = false
  let mayWait: number = pushBounds.waiting.characters

  const isSince = (since: Count, max: Count): boolean =>
    sent.events - since.events >= max.events || sent.characters - since.characters >= max.characters

  return {
    message(event) {
      const { events, characters } = pushBounds.waiting
      missed ||= isSince(read, { events, characters: mayWait })
      if (missed) return null
      const length = lengthOf(event)
      // A single large event may wait in addition to the others: a page that reads receives it, however long that takes.
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

/** Measures each event once, regardless of the number of pages that receive it. */
function lengthOf({ event }: PushedEvent): number {
  const known = lengths.get(event)
  if (known !== undefined) return known
  const length = JSON.stringify(event).length
  lengths.set(event, length)
  return length
}

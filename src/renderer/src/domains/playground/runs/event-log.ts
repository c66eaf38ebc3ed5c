import type { EventBatch } from '../../../../../shared/model/run.ts'

/** Events of a run as stored in the page: batches stay text until one of their events is accessed. */
export interface EventLog {
  /** Number of stored events, contiguous from the first one. */
  readonly count: number
  /** Adds the next batch; returns false when there is a gap before it. Skips events that are already stored. */
  add(batch: EventBatch): boolean
  /** Returns one event, `undefined` beyond the end; unreadable ones as text. */
  at(index: number): unknown
}

/** Number of batches whose events are cached as objects, so that scrolling back and forth parses nothing twice. */
const maxParsed = 24

/** Creates an empty log. Adding has the same cost whatever its size. */
export function createEventLog(): EventLog {
  const batches: EventBatch[] = []
  const parsed = new Map<number, readonly unknown[]>()
  let count = 0

  const find = (index: number): number => {
    let low = 0
    let high = batches.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((batches[middle]?.first ?? 0) <= index) low = middle
      else high = middle - 1
    }
    return low
  }
  const read = (place: number, batch: EventBatch): readonly unknown[] => {
    const known = parsed.get(place)
    if (known) return known
    const events = eventsOf(batch)
    const [oldest] = parsed.keys()
    if (parsed.size >= maxParsed && oldest !== undefined) parsed.delete(oldest)
    parsed.set(place, events)
    return events
  }

  return {
    get count() {
      return count
    },
    add(batch) {
      if (batch.first + batch.count <= count) return true
      if (batch.first > count) return false
      batches.push(batch)
      count = batch.first + batch.count
      return true
    },
    at(index) {
      if (index < 0 || index >= count) return undefined
      const place = find(index)
      const batch = batches[place]
      return batch && read(place, batch)[index - batch.first]
    },
  }
}

/** Returns the events of a batch; a batch that is not a list is returned as one event. */
export function eventsOf(batch: EventBatch): readonly unknown[] {
  try {
    const events: unknown = JSON.parse(batch.json)
    if (Array.isArray(events)) return events
  } catch {
    // Returned as text below.
  }
  return [batch.json]
}

/** Summarizes an event in one line: its type, and its text or the rest of it. */
export function eventLine(event: unknown): { readonly type: string; readonly text: string } {
  if (typeof event !== 'object' || event === null) return { type: '', text: short(String(event)) }
  const { type, ...rest }: { type?: unknown } & Record<string, unknown> = { ...event }
  const name = typeof type === 'string' ? type : ''
  const { text, tool } = rest
  if (typeof text === 'string') return { type: name, text: short(text) }
  if (typeof tool !== 'string') return { type: name, text: short(compact(rest)) }
  // Arguments or results are more informative than the IDs that link them.
  const detail = rest['arguments'] ?? rest['result'] ?? rest
  return { type: name, text: `${tool} ${short(compact(detail))}` }
}

/** Types of events whose text is part of the streamed answer. */
const spoken: ReadonlySet<unknown> = new Set(['answer', 'text', 'delta'])

/** Joins the text of the answer from some events. */
export function spokenText(events: readonly unknown[]): string {
  let words = ''
  for (const event of events)
    if (typeof event === 'object' && event !== null && 'type' in event && 'text' in event)
      if (spoken.has(event.type) && typeof event.text === 'string') words += event.text
  return words
}

const maxChars = 240
const short = (text: string): string => {
  const line = text.slice(0, maxChars * 2).replaceAll(/\s+/g, ' ')
  return line.length > maxChars ? `${line.slice(0, maxChars)}…` : line
}

/** Returns JSON whose long texts and lists are truncated before serialization. */
function compact(value: unknown): string {
  const cut = (_: string, each: unknown): unknown => {
    if (typeof each === 'string' && each.length > 120) return `${each.slice(0, 120)}…`
    return Array.isArray(each) && each.length > 8 ? [...each.slice(0, 8), '…'] : each
  }
  return JSON.stringify(value, cut) ?? ''
}

/** Where a reader's habit is kept: the page's own storage. */
export type HabitStore = Pick<Storage, 'getItem' | 'setItem'>

/** How somebody follows an answer: what they opened while one ran is open in the next one. */
export interface TimelineHabits {
  /** The way to the answer is open while it is gone. */
  readonly steps: boolean
  /** The newest thinking is open while it goes on. */
  readonly thinking: boolean
}

const name = 'lectern-chat-timeline'

/** Reads them; what is missing or broken is folded. */
export function readHabits(store: HabitStore): TimelineHabits {
  try {
    const saved: unknown = JSON.parse(store.getItem(name) ?? '{}')
    const is = (habit: keyof TimelineHabits): boolean =>
      typeof saved === 'object' &&
      saved !== null &&
      habit in saved &&
      Reflect.get(saved, habit) === true
    return { steps: is('steps'), thinking: is('thinking') }
  } catch {
    return { steps: false, thinking: false }
  }
}

/** Keeps a change of them; a storage that is full or closed costs only the memory. */
export function savePreference(store: HabitStore, change: Partial<TimelineHabits>): void {
  try {
    store.setItem(name, JSON.stringify({ ...readHabits(store), ...change }))
  } catch {
    // The next answer is folded.
  }
}

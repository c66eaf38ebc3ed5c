/** Storage of the user's preferences: the page's own storage. */
type HabitStore = Pick<Storage, 'getItem' | 'setItem'>

/** Preferences for viewing answers: what the user expanded in one answer is expanded in the next. */
interface TimelineHabits {
  /** Expand the steps of a running answer. */
  readonly steps: boolean
  /** Expand the newest reasoning while it is running. */
  readonly thinking: boolean
}

const name = 'lectern-chat-timeline'

/** Reads the preferences; missing or invalid ones mean folded. */
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

/** Saves a change; if the storage is full or blocked, it is only not remembered. */
export function savePreference(store: HabitStore, change: Partial<TimelineHabits>): void {
  try {
    store.setItem(name, JSON.stringify({ ...readHabits(store), ...change }))
  } catch {
    // The next answer is folded.
  }
}

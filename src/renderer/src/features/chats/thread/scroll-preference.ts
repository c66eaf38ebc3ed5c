/** Where a new question goes: to the top of the view with its answer growing below it, or its answer's end is followed. */
export type QuestionPlace = 'top' | 'follow'

const name = 'lectern-chat-scroll'

/** Reads where new questions go; the top on the first day. */
export const readQuestionPlace = (store: Pick<Storage, 'getItem'>): QuestionPlace =>
  store.getItem(name) === 'follow' ? 'follow' : 'top'

/** Keeps it; a storage that is full or closed costs only the memory. */
export function writeQuestionPlace(store: Pick<Storage, 'setItem'>, place: QuestionPlace): void {
  try {
    store.setItem(name, place)
  } catch {
    // The choice holds until the page is closed.
  }
}

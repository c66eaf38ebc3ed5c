/**
 * Where a new question is shown: at the top of the view with its answer growing below, or with the view following the
 * end of the answer.
 */
export type QuestionPlace = 'top' | 'follow'

const name = 'lectern-chat-scroll'

/** Reads where new questions are shown; the default is the top. */
export const readQuestionPlace = (store: Pick<Storage, 'getItem'>): QuestionPlace =>
  store.getItem(name) === 'follow' ? 'follow' : 'top'

/** Saves the choice; if the storage is full or blocked, it is only not remembered. */
export function writeQuestionPlace(store: Pick<Storage, 'setItem'>, place: QuestionPlace): void {
  try {
    store.setItem(name, place)
  } catch {
    // The choice applies until the page is closed.
  }
}

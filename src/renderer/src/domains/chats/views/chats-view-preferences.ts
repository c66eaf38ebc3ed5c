/** Limits of the side pane's width, in pixels at the normal text size. */
export const sideWidth = { min: 280, default: 400, max: 900 } as const

/** Storage of the width: the page's own storage. */
type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-chat-side'

/** Reads the saved width; a missing or invalid one gets the default. */
export function readSideWidth(store: PreferenceStore): number {
  const saved = Number(store.getItem(name) ?? Number.NaN)
  return saved >= sideWidth.min && saved <= sideWidth.max ? Math.round(saved) : sideWidth.default
}

/** Saves the width; if the storage is full or blocked, it is only not remembered. */
export function writeSideWidth(store: PreferenceStore, width: number): void {
  try {
    store.setItem(name, String(width))
  } catch {
    // The next visit begins with the default width.
  }
}

/** Bounds of the width of what stands to the right, in pixels at the normal text size. */
export const sideWidth = { min: 280, default: 400, max: 900 } as const

/** Where it is kept: the page's own storage. */
export type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-chat-side'

/** The width as it was left; what is missing or broken is as on the first day. */
export function readSideWidth(store: PreferenceStore): number {
  const saved = Number(store.getItem(name) ?? Number.NaN)
  return saved >= sideWidth.min && saved <= sideWidth.max ? Math.round(saved) : sideWidth.default
}

/** Keeps it; a storage that is full or closed costs only the memory. */
export function writeSideWidth(store: PreferenceStore, width: number): void {
  try {
    store.setItem(name, String(width))
  } catch {
    // The next visit begins with the usual width.
  }
}

/** The tab's own storage knows ports, which cookies do not; it outlives a reload and ends with the tab. */
const name = 'lectern-key'

/**
 * Takes the key that the launch address left behind `#` out of the address, where it would be read and copied, and
 * keeps it for this tab. Called before the router, which takes what it finds there for a place.
 */
export function takeTabKey(): void {
  const key = /^#k=([\w-]{43})$/.exec(location.hash)?.[1]
  if (key === undefined) return
  sessionStorage.setItem(name, key)
  history.replaceState(null, '', location.pathname)
}

/** This tab's key; null in a tab that was opened by hand. */
export const readTabKey = (): string | null => sessionStorage.getItem(name)

/** Session storage is separate per port, unlike cookies; it survives a reload and ends with the tab. */
const name = 'lectern-key'

/**
 * Removes the key after `#` of the launch URL from the address bar, where it could be read and copied, and saves it for this tab.
 * Called before the router, which would interpret it as a route.
 */
export function takeTabKey(): void {
  const key = /^#k=([\w-]{43})$/.exec(location.hash)?.[1]
  if (key === undefined) return
  sessionStorage.setItem(name, key)
  history.replaceState(null, '', location.pathname)
}

/** Returns this tab's key; null in a tab that was opened manually. */
export const readTabKey = (): string | null => sessionStorage.getItem(name)

/**
 * Runs a callback when a field loses the focus. If a press took the focus, it runs when the press ends: a change in between could
 * move the pressed button away, and the click would be lost. It still runs before the click itself.
 */
export function afterPress(run: () => void): void {
  if (document.querySelector(':active') === null) {
    run()
    return
  }
  const ended = new AbortController()
  const finish = (): void => {
    ended.abort()
    run()
  }
  for (const type of ['pointerup', 'pointercancel'])
    window.addEventListener(type, finish, { capture: true, signal: ended.signal })
}

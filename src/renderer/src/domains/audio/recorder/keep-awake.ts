/** Keeps the screen, and so the computer, awake while a recording runs; ended by {@link KeepAwake.release}. */
export interface KeepAwake {
  release(): void
}

/** Requests the wake lock, and again whenever the page becomes visible: a hidden page loses it. */
export function keepAwake(
  lock: Pick<WakeLock, 'request'> | undefined,
  page: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>,
): KeepAwake {
  let held: WakeLockSentinel | null = null
  let over = false
  const ask = async (): Promise<void> => {
    if (over || page.visibilityState !== 'visible' || (held && !held.released)) return
    const fresh = await lock?.request('screen').catch(() => null)
    if (!fresh) return
    if (over) void fresh.release()
    else held = fresh
  }
  const onShown = (): void => void ask()
  page.addEventListener('visibilitychange', onShown)
  void ask()
  return {
    release() {
      over = true
      page.removeEventListener('visibilitychange', onShown)
      void held?.release()
    },
  }
}

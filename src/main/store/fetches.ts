/** A list or an item that a service is being asked for. What was changed here since then is newer than the answer. */
export interface Fetch {
  /** Whether this was changed here, or fetched by a later request, since the request began. */
  outdated(...key: readonly string[]): boolean
  /** Call once the answer is kept, or when none came. */
  end(): void
}

/** Requests under way, and what is changed meanwhile. */
export interface Fetches {
  /** Call before the service is asked. */
  begin(): Fetch
  /** Something changed: by the answer of `by`, or here. Older answers do not change it again. */
  changed(by: Fetch | undefined, ...key: readonly string[]): void
}

const joined = (key: readonly string[]): string => key.join('\n')

/** Builds it. */
export function createFetches(): Fetches {
  // In the order in which they began: what one of them brings is newer than those before it.
  const open = new Map<Fetch, Set<string>>()
  return {
    begin() {
      const changed = new Set<string>()
      const fetch: Fetch = {
        outdated: (...key) => changed.has(joined(key)),
        end: () => void open.delete(fetch),
      }
      open.set(fetch, changed)
      return fetch
    },
    changed(by, ...key) {
      for (const [fetch, keys] of open) {
        if (fetch === by) return
        keys.add(joined(key))
      }
    },
  }
}

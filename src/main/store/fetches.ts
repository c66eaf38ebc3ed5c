/**
 * A running request for a list or an item of the provider. Local changes made since it began are newer than its response.
 */
export interface Fetch {
  /** Returns whether this was changed locally, or fetched by a later request, since the request began. */
  outdated(...key: readonly string[]): boolean
  /** Call after the response is saved, or when there is none. */
  end(): void
}

/** Running requests, and the changes made in the meantime. */
export interface Fetches {
  /** Call before the request is sent. */
  begin(): Fetch
  /** Records a change: by the response of `by`, or locally. Older responses do not overwrite it. */
  changed(by: Fetch | undefined, ...key: readonly string[]): void
}

const joined = (key: readonly string[]): string => key.join('\n')

export function createFetches(): Fetches {
  // In start order: a response is newer than those of earlier requests.
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

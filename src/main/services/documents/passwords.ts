/** Passwords of documents, for as long as the app runs: never written, never logged. */
export interface Passwords {
  get(id: string): string | null
  has(id: string): boolean
  set(id: string, password: string): void
  forget(ids: readonly string[]): void
  clear(): void
}

/** Keeps them in memory. */
export function createPasswords(): Passwords {
  const kept = new Map<string, string>()
  return {
    get: (id) => kept.get(id) ?? null,
    has: (id) => kept.has(id),
    set: (id, password) => void kept.set(id, password),
    forget: (ids) => ids.forEach((id) => kept.delete(id)),
    clear: () => kept.clear(),
  }
}

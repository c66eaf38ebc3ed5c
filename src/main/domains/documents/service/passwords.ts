/** Passwords of documents for as long as the app runs: never stored, never logged. */
export interface Passwords {
  get(id: string): string | null
  has(id: string): boolean
  set(id: string, password: string): void
  forget(ids: readonly string[]): void
  clear(): void
}

/** Creates a password store in memory. */
export function createPasswords(): Passwords {
  const passwords = new Map<string, string>()
  return {
    get: (id) => passwords.get(id) ?? null,
    has: (id) => passwords.has(id),
    set: (id, password) => void passwords.set(id, password),
    forget: (ids) => ids.forEach((id) => passwords.delete(id)),
    clear: () => passwords.clear(),
  }
}

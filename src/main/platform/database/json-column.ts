/** Parses a JSON column written by this store; null when the row is corrupt. */
export function parsed<T>(json: string | null): T | null {
  if (json === null) return null
  try {
    return JSON.parse(json) as T
  } catch {
    return null
  }
}

/** An item that a provider refused, and the reason; `why` is empty when it reported none. */
export interface Refusal {
  readonly name: string
  readonly why: string
}

/** Returns the items refused by a knowledge base; none for the value of any other operation. */
export function refusalsIn(value: unknown): readonly Refusal[] {
  const refused = fieldOf(value, 'refused')
  if (!Array.isArray(fieldOf(value, 'accepted')) || !Array.isArray(refused)) return []
  return refused.map((one) => ({ name: textOf(one, 'name'), why: textOf(one, 'reason') }))
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const textOf = (value: unknown, name: string): string => {
  const text = fieldOf(value, name)
  return typeof text === 'string' ? text : ''
}

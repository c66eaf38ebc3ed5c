/** Something a service did not take, and why; `why` is empty when it did not say. */
export interface Refusal {
  readonly name: string
  readonly why: string
}

/** What was refused of what was added to a knowledge base; none in the value of any other operation. */
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

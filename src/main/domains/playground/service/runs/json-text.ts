/** Characters of a text that are written at a time: about a millisecond of work. */
const slice = 64 * 1024

/**
 * A JSON value as text in chunks that are quick to create, the last of which ends with its closing character: a response may be
 * one text of many megabytes, and a list may contain thousands of values. Undefined fields are omitted.
 */
export function* jsonText(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > slice) {
    yield '"'
    // Halves of a surrogate pair are written as escapes, which parse as the pair again.
    for (let at = 0; at < value.length; at += slice)
      yield JSON.stringify(value.slice(at, at + slice)).slice(1, -1)
    yield '"'
  } else if (Array.isArray(value)) {
    yield '['
    for (const [at, each] of value.entries()) {
      if (at > 0) yield ','
      yield* jsonText(each ?? null)
    }
    yield ']'
  } else if (typeof value === 'object' && value !== null) {
    yield '{'
    let first = true
    for (const [name, each] of Object.entries(value)) {
      if (each === undefined) continue
      yield `${first ? '' : ','}${JSON.stringify(name)}:`
      yield* jsonText(each)
      first = false
    }
    yield '}'
  } else yield JSON.stringify(value ?? null)
}

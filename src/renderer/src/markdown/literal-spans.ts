/** Returns a search for the next match from a position; matches are cached, so that the text is scanned once. */
function ahead(text: string, what: string): (from: number) => number {
  let found = -2
  return (from) => {
    if (found !== -1 && found < from) found = text.indexOf(what, from)
    return found
  }
}

/** Positions of backtick runs by their length, in order. */
function backtickRuns(text: string): ReadonlyMap<number, readonly number[]> {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const places = runs.get(run.length)
    if (places) places.push(index)
    else runs.set(run.length, [index])
  }
  return runs
}

/** The first of sorted positions at or after `from`; -1 if there is none. */
function firstFrom(places: readonly number[], from: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return places[low] ?? -1
}

/** Maximum characters of a tag or a URL. */
const maxLength = 2000

/**
 * Returns, for one text, the end of the non-prose at a position, or the position itself in prose. Code in backticks,
 * fenced code, `<code>` and `<pre>`, tags and link URLs are not prose.
 */
export function skipsOf(text: string): (at: number) => number {
  const runs = backtickRuns(text)
  const closings = { code: ahead(text, '</code'), pre: ahead(text, '</pre') }
  /** Whether only quote marks, list marks and spaces precede a position on its line. */
  const beginsLine = (at: number): boolean => {
    const near = text.slice(Math.max(0, at - 40), at)
    const line = near.lastIndexOf('\n')
    return (
      (line !== -1 || at <= 40) && /^[ \t>]*(?:[-*+] +|\d{1,9}[.)] +)?$/.test(near.slice(line + 1))
    )
  }

  const codeSpan = (at: number): number => {
    let past = at
    while (text[past] === '`') past += 1
    const length = past - at
    if (length >= 3 && beginsLine(at)) return fenced(text, at, length)
    const end = firstFrom(runs.get(length) ?? [], past)
    return end === -1 ? past : end + length
  }
  const tildes = (at: number): number => {
    let past = at
    while (text[past] === '~') past += 1
    return past - at >= 3 && beginsLine(at) ? fenced(text, at, past - at) : past
  }
  const tag = (at: number): number => {
    if (!/[a-z/!?]/i.test(text[at + 1] ?? '')) return at
    const near = text.slice(at, at + maxLength)
    const name = /^<(code|pre)(?=[\s>])/i.exec(near)?.[1]?.toLowerCase()
    if (name === 'code' || name === 'pre') {
      const end = closings[name](at)
      if (end !== -1) return end
    }
    // A formula may contain `a<b`: text with a dollar sign and without `=` is not a tag.
    const found = /^<[^<>]*>/.exec(near)?.[0]
    return found && (!found.includes('$') || found.includes('=')) ? at + found.length : at
  }
  const address = (at: number): number => {
    if (text[at + 1] !== '(') return at
    const found = /^\]\([^\s()]*\)/.exec(text.slice(at, at + maxLength))?.[0]
    return found ? at + found.length : at
  }
  return (at) => {
    switch (text[at]) {
      case '`':
        return codeSpan(at)
      case '~':
        return tildes(at)
      case '<':
        return tag(at)
      case ']':
        return address(at)
      default:
        return at
    }
  }
}

/** End of the fenced code at a position: after its closing fence, or the end of the text. */
function fenced(text: string, at: number, length: number): number {
  const fence = (text[at] ?? '').repeat(length)
  let line = text.indexOf('\n', at)
  while (line !== -1) {
    const next = text.indexOf('\n', line + 1)
    const content = text.slice(line + 1, next === -1 ? text.length : next)
    if (content.replace(/^[ \t>]*/, '').startsWith(fence)) return line + 1 + content.length
    line = next
  }
  return text.length
}

import { limits } from './limits.ts'

/** Cost class of a block: drawn, drawn only on request (`heavy`), or never (`over`) and shown as source. */
export type Weight = 'light' | 'heavy' | 'over'

/** Estimated load of a text, from counting alone. */
interface Load {
  readonly chars: number
  readonly tags: number
  readonly depth: number
  /** Number of characters that Markdown converts to elements. */
  readonly marks: number
}

const empty = /^(?:br|hr|img|col|input|wbr|area|base|embed|link|meta|source|track|param)$/i

/** Counts what a text would become, without building anything; stops counting beyond the limits. */
export function loadOf(text: string): Load {
  const chars = text.length
  let tags = 0
  let depth = 0
  let deepest = 0
  let marks = 0
  if (chars > limits.chars) return { chars, tags, depth, marks }
  for (const [sign, slash, name] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)|[*_`[|\n]/gi)) {
    if (name === undefined) marks += sign === '\n' ? 0.25 : 0.5
    else if (slash === '/') depth = Math.max(0, depth - 1)
    else {
      tags += 1
      if (!empty.test(name)) depth += 1
      deepest = Math.max(deepest, depth)
    }
    if (tags > limits.tags || deepest > limits.depth) break
  }
  return { chars, tags, depth: deepest, marks }
}

/** Estimated milliseconds for building, sanitizing and layout, based on measurements on two slow cores. */
function estimate({ chars, tags, marks }: Load): number {
  return 1 + chars / 20_000 + (tags + marks) / 25
}

/** Whether a block is drawn, drawn only on request, or never. */
export function weigh(load: Load): Weight {
  if (load.chars > limits.chars || load.tags > limits.tags || load.depth > limits.depth)
    return 'over'
  return estimate(load) > limits.milliseconds ? 'heavy' : 'light'
}

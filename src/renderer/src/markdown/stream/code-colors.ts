import type { ColorAnswer, ColoredLine, ColorOrder } from './code-kinds.ts'
import { grammarsOf, languageNamed } from './code-languages.ts'

/** Letters from which on code stays plain. */
const maxLetters = 60_000
/** Milliseconds without an order after which the worker is ended, with the grammars in it. */
const idleMs = 20_000

/** Finds out what stretches of code are, in a worker: a grammar's first line alone may take a second. */
export interface CodeColors {
  /** Tells lines as they come; `last` once. Code of a language that is not known, or too long, is never told of. */
  color(
    code: string,
    language: string,
    onLines: (lines: readonly ColoredLine[], last: boolean) => void,
  ): void
}

/** Builds it; the worker begins with the first order. */
export function createCodeColors(spawn: () => Worker): CodeColors {
  let worker: Worker | null = null
  let known = new Set<string>()
  let ids = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const open = new Map<number, (lines: readonly ColoredLine[], last: boolean) => void>()

  const end = (): void => {
    worker?.terminate()
    worker = null
    known = new Set()
    open.clear()
  }
  const begin = (): Worker => {
    const begun = spawn()
    begun.addEventListener('message', ({ data }: MessageEvent<ColorAnswer>) => {
      const onLines = open.get(data.id)
      if (data.last) open.delete(data.id)
      if (open.size === 0) timer = setTimeout(end, idleMs)
      onLines?.(data.lines, data.last)
    })
    begun.addEventListener('error', end)
    return begun
  }
  const send = async (
    code: string,
    language: string,
    onLines: (lines: readonly ColoredLine[], last: boolean) => void,
  ): Promise<void> => {
    const grammars = await grammarsOf(language)
    clearTimeout(timer)
    worker ??= begin()
    const isKnown = known.has(language)
    known.add(language)
    ids += 1
    open.set(ids, onLines)
    const order: ColorOrder = { id: ids, language, grammars: isKnown ? [] : grammars, code }
    worker.postMessage(order)
  }
  return {
    color(code, word, onLines) {
      const language = code.length > maxLetters ? null : languageNamed(word)
      // A grammar that cannot be loaded leaves the code as it is.
      if (language !== null) void send(code, language, onLines).catch(() => undefined)
    },
  }
}

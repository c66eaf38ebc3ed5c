import type { ColorAnswer, ColoredLine, ColorOrder } from './code-kinds.ts'
import { grammarsOf, languageNamed } from './code-languages.ts'

/** Maximum number of characters; longer code stays plain. */
const maxLetters = 60_000
/** Milliseconds without requests after which the worker is ended, together with its grammars. */
const idleMs = 20_000

/** Highlights code in a worker: even a grammar's first line may take a second. */
export interface CodeColors {
  /** Reports lines as they are highlighted; `last` once. Code in an unknown language, or too long, is never reported. */
  color(
    code: string,
    language: string,
    onLines: (lines: readonly ColoredLine[], last: boolean) => void,
  ): void
}

/** Creates it; the worker starts with the first request. */
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
      // If a grammar cannot be loaded, the code stays plain.
      if (language !== null) void send(code, language, onLines).catch(() => undefined)
    },
  }
}

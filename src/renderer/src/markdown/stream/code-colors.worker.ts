import {
  createCssVariablesTheme,
  createHighlighterCoreSync,
  type GrammarState,
  type HighlighterCore,
  type LanguageRegistration,
} from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { codeKinds, type ColorAnswer, type ColoredLine, type ColorOrder } from './code-kinds.ts'

/** Milliseconds after which what is done is told, and letters from which on a line stays plain. */
const reportMs = 40
const maxLineLength = 2000
/** A line that is given up half way leaves those after it wrong: a grammar's first one may take a second, and many on a busy machine. */
const lineMs = 8000

const theme = createCssVariablesTheme({ name: 'kinds', variablePrefix: '--code-' })
const kindOf = new Map(codeKinds.map((kind, at) => [`var(--code-token-${kind})`, at]))

function colored(order: ColorOrder, highlighter: HighlighterCore): void {
  const language = highlighter.getLanguage(order.language).name
  let state: GrammarState | undefined
  let lines: ColoredLine[] = []
  let reportedAt = performance.now()
  const report = (last: boolean): void => {
    const answer: ColorAnswer = { id: order.id, lines, last }
    postMessage(answer)
    lines = []
    reportedAt = performance.now()
  }
  for (const line of order.code.split('\n')) {
    const tokens = highlighter.codeToTokensBase(line, {
      lang: language,
      theme: theme.name ?? '',
      tokenizeMaxLineLength: maxLineLength,
      tokenizeTimeLimit: lineMs,
      ...(state && { grammarState: state }),
    })
    state = highlighter.getLastGrammarState(tokens) ?? state
    lines.push(
      (tokens[0] ?? []).flatMap(({ content, color }) => [
        content.length,
        kindOf.get(color ?? '') ?? 0,
      ]),
    )
    if (performance.now() - reportedAt > reportMs) report(false)
  }
  report(true)
}

let highlighter: HighlighterCore | null = null
addEventListener('message', ({ data }: MessageEvent<ColorOrder>) => {
  highlighter ??= createHighlighterCoreSync({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  try {
    for (const grammar of data.grammars)
      highlighter.loadLanguageSync(grammar as LanguageRegistration)
    colored(data, highlighter)
  } catch {
    // A grammar that this engine cannot take: the code stays plain.
    const answer: ColorAnswer = { id: data.id, lines: [], last: true }
    postMessage(answer)
  }
})

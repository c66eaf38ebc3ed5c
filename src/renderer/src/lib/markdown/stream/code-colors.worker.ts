import {
  createCssVariablesTheme,
  createHighlighterCoreSync,
  type GrammarState,
  type HighlighterCore,
  type LanguageRegistration,
} from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { codeKinds, type ColorAnswer, type ColoredLine, type ColorOrder } from './code-kinds.ts'

/** Interval of reports in milliseconds, and maximum length of a line that is highlighted. */
const reportMs = 40
const maxLineLength = 2000
/**
 * Time limit of a line, whose abort makes the following lines wrong: a grammar's first line may take a second, and many on a busy
 * machine.
 */
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
    // A grammar that this engine does not support: the code stays plain.
    const answer: ColorAnswer = { id: data.id, lines: [], last: true }
    postMessage(answer)
  }
})

import type { Token } from 'markdown-it'
import {
  createGrammar,
  definitions,
  type References,
} from '../../../../../src/renderer/src/lib/markdown/stream/grammar.ts'
import { htmlOf } from '../../../../../src/renderer/src/lib/markdown/stream/html.ts'
import { createIntake } from '../../../../../src/renderer/src/lib/markdown/stream/marks.ts'
import {
  topsOf,
  isTight,
  tokensOf,
  type FragmentSource,
} from '../../../../../src/renderer/src/lib/markdown/stream/fragment-tokens.ts'
import {
  type Container,
  type Cut,
  type Tail,
  createSplitter,
  type SplitLimits,
} from '../../../../../src/renderer/src/lib/markdown/stream/split-fragments.ts'

const grammar = createGrammar()

function html(tokens: readonly Token[], known: References): string {
  const steps = htmlOf(tokens, { grammar, references: known, onLabel: () => undefined })
  for (;;) {
    const { done, value } = steps.next()
    if (done !== true) continue
    return value.html.replaceAll(
      /\u{FDD0}(\d+)\u{FDD1}/gu,
      (_, place: string) => `[math ${value.formulas[Number(place)]?.tex}]`,
    )
  }
}

const squeezed = (text: string): string =>
  text.replaceAll(/\s*\n\s*(?=<)|(?<=>)\s*\n\s*/g, '').replaceAll(/\n+<\/code>/g, '</code>')

function blockHtml(tokens: readonly Token[], known: References): string {
  const tight = isTight(tokens) ? '<tight>' : ''
  return `${tight}${html(tokens, known)}`
}

/** Returns the rendering of a text that is parsed as a whole. */
export function whole(text: string, ended: boolean): string {
  const intake = createIntake()
  const source = intake.take(text) + (ended ? intake.end() : '')
  const known = definitions()
  const tokens = grammar.blocks(source, known, !ended)
  return squeezed(
    topsOf(tokens)
      .map(({ from, to }) => blockHtml(tokens.slice(from, to), known))
      .join('\n'),
  )
}

/** Joins the output of a splitter for a streamed text. */
export function assembler(limits?: SplitLimits) {
  const intake = createIntake()
  const splitter = createSplitter(grammar, limits)
  const cuts: Cut[] = []
  const give = (cut: Cut): void => void cuts.push(cut)
  return {
    splitter,
    cuts,
    push(text: string) {
      splitter.push(intake.take(text))
      splitter.settle(give)
    },
    end() {
      splitter.push(intake.end())
      splitter.end(give)
    },
    html: (): string => squeezed(assembled(cuts, splitter.tail(), splitter.references)),
  }
}

function assembled(cuts: readonly Cut[], tail: Tail, known: References): string {
  const draw = (part: FragmentSource): string => html(tokensOf(part, grammar), known)
  const block = (text: string, goesOn = false): string => {
    const tokens = tokensOf({ kind: 'block', text }, grammar, goesOn)
    return topsOf(tokens)
      .map(({ from, to }) => blockHtml(tokens.slice(from, to), known))
      .join('\n')
  }
  const parts: string[] = []
  let open: { container: Container; texts: string[]; loose: boolean } | null = null
  const shut = (inside: string): void => {
    if (!open) return
    const { container, loose } = open
    const texts = inside === '' ? open.texts : [...open.texts, ...inner(container, inside)]
    if (container.kind === 'fence') {
      const source = `${'`'.repeat(40)}${container.info}\n${texts.join('')}`
      parts.push(html(grammar.blocks(source, definitions()), known))
    } else if (container.kind === 'table') {
      const [head, foot] = html(grammar.blocks(container.head, definitions()), known).split(
        '</thead>',
      )
      const rows = texts.map((text) => draw({ kind: 'rows', text, head: container.head })).join('')
      parts.push(`${head}</thead>${rows === '' ? '' : `<tbody>${rows}</tbody>`}${foot}`)
    } else {
      const tag = container.ordered ? 'ol' : 'ul'
      const start = container.start === 1 ? '' : ` start="${container.start}"`
      const items = texts.map((text) => draw({ kind: 'item', text }))
      const paragraphs = items.some((item) => /^<li>\s*(?:.*<\/\w+>)?\s*<p>/s.test(item))
      parts.push(
        `${loose || !paragraphs ? '' : '<tight>'}<${tag}${start}>${items.join('')}</${tag}>`,
      )
    }
    open = null
  }
  for (const cut of cuts) {
    if (cut.kind === 'block') parts.push(block(cut.text))
    else if (cut.kind === 'open') open = { container: cut.container, texts: [], loose: false }
    else if (cut.kind === 'close') shut('')
    else if (cut.kind === 'loose' && open) open.loose = true
    else if (cut.kind === 'more') open?.texts.push(cut.text)
  }
  if (open) {
    ;(open as { loose: boolean }).loose = tail.loose
    shut(tail.inside)
  }
  parts.push(...tail.blocks.map((text, at) => block(text, at === tail.blocks.length - 1)))
  return parts.join('\n')
}

/** The items at the end of a list are rendered individually. */
function inner(container: Container, text: string): readonly string[] {
  if (container.kind !== 'list') return [text]
  const { splitter, cuts } = assembler({ container: 0, max: Infinity })
  splitter.push(text)
  splitter.end((cut) => void cuts.push(cut))
  return cuts.flatMap((cut) => (cut.kind === 'more' ? [cut.text] : []))
}

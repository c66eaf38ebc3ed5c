import type { Token } from 'markdown-it'
import { definitions, type Grammar, type Reference, type References } from './grammar.ts'
import { settledTops, topsOf, type Top, dummyOf, isLoose, itemsOf } from './fragment-tokens.ts'

/** A long block that is emitted in parts. */
export type Container =
  | { readonly kind: 'fence'; readonly info: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly start: number }
  | { readonly kind: 'table'; readonly head: string }

/** Parts of a text, in order. */
export type Cut =
  /** A settled block, as its source. */
  | { readonly kind: 'block'; readonly text: string }
  | { readonly kind: 'open'; readonly container: Container }
  /** Content of the open container: lines of code without their indent, an item, or rows. */
  | { readonly kind: 'more'; readonly text: string }
  /** The open list is loose: its items are spaced, including the earlier ones. */
  | { readonly kind: 'loose' }
  | { readonly kind: 'close' }

/** The unsettled end of a text. */
export interface Tail {
  /** Unsettled text of the open container, if there is one. */
  readonly inside: string
  /** Whether the open list appears to be loose. */
  readonly loose: boolean
  /** Blocks after it. */
  readonly blocks: readonly string[]
}

/** Characters above which a block is emitted in parts, and at which one that cannot be split is cut off. */
export interface SplitLimits {
  readonly container: number
  readonly max: number
}

const defaultLimits: SplitLimits = { container: 2000, max: 60_000 }

/** Splits a growing text into settled and unsettled parts. */
interface Splitter {
  /** Adds text; nothing is parsed yet. */
  push(text: string): void
  /** Emits the parts that are settled by now. */
  settle(give: (cut: Cut) => void): void
  /** Ends the text and emits everything. */
  end(give: (cut: Cut) => void): void
  /** The unsettled rest, as of the last {@link settle}. */
  tail(): Tail
  /** Definitions so far, including those of the tail. */
  readonly references: References
  /** Labels whose meaning changed since the last call. */
  redefined(): ReadonlySet<string>
  /** Number of unsettled characters. */
  readonly pending: number
}

type Mode =
  | { readonly kind: 'blocks' }
  | { readonly kind: 'fence'; readonly fence: Fence }
  | { readonly kind: 'list'; loose: boolean }
  | { readonly kind: 'table'; readonly head: string }

export function createSplitter(grammar: Grammar, limits: SplitLimits = defaultLimits): Splitter {
  let text = ''
  let mode: Mode = { kind: 'blocks' }
  const settled = definitions()
  let known = definitions(settled)
  /** Labels settled since the last call, and the meaning of the tail's labels at that time. */
  const fresh = new Set<string>()
  let tailReferences = new Map<string, Reference>()
  let tail: Tail = { inside: '', loose: false, blocks: [] }

  /** Parses the text after `head`, which was already emitted. */
  const parse = (head: string, last: boolean): Parsed => {
    const source = head + text
    known = definitions(settled)
    const tokens = grammar.blocks(source, known, !last)
    return { tokens, tops: topsOf(tokens), lines: linesOf(source), head: head.length }
  }
  /** Removes and returns the text up to a line. */
  const readTo = ({ lines, head, tokens }: Parsed, line: number): string => {
    for (const { type, map, meta } of tokens) {
      if (type !== 'reference_definition' || (map?.[0] ?? Infinity) >= line) continue
      const label = String(meta?.['label'])
      const found = known[label]
      if (!found || settled[label]) continue
      settled[label] = found
      fresh.add(label)
    }
    const end = lines.start(line) - head
    const taken = text.slice(0, end)
    text = text.slice(end)
    return taken
  }

  const inBlocks = (give: (cut: Cut) => void, last: boolean): boolean => {
    const parsed = parse('', last)
    const { tops, tokens, lines } = parsed
    const count = settledTops(tokens, tops, lines)
    for (const [at, top] of tops.slice(0, count).entries()) {
      const next = tops[at + 1]
      if (next)
        give({ kind: 'block', text: text.slice(lines.start(top.line), lines.start(next.line)) })
    }
    const first = tops[count]
    const left = tops.slice(count)
    const blocks = left.map(({ line }, at) =>
      text.slice(lines.start(line), lines.start(left[at + 1]?.line ?? lines.count)),
    )
    tail = { inside: '', loose: false, blocks }
    if (!first) {
      // The last line may still be the indentation of a block.
      if (text.trim() === '') text = text.slice(text.lastIndexOf('\n') + 1)
      return false
    }
    readTo(parsed, first.line)
    if (text.length < limits.container || left.length > 1) return cutOff(give)
    const opened = open(tokens, first)
    if (!opened) return cutOff(give)
    give({ kind: 'open', container: opened.container })
    mode = opened.mode
    return true
  }
  /** Emits text that is too long to be parsed repeatedly, as it is. */
  const cutOff = (give: (cut: Cut) => void): boolean => {
    if (text.length < limits.max) return false
    const end = text.lastIndexOf('\n') + 1 || text.length
    give({ kind: 'block', text: text.slice(0, end) })
    text = text.slice(end)
    tail = { inside: '', loose: false, blocks: text === '' ? [] : [text] }
    return false
  }
  const open = (tokens: readonly Token[], top: Top): Opened | null => {
    const token = tokens[top.from]
    const { complete, start: startOf } = linesOf(text)
    if (!token || complete < 1) return null
    if (top.type === 'fence') {
      const fence = fenceOf(text)
      if (!fence) return null
      text = text.slice(fence.begin)
      return {
        mode: { kind: 'fence', fence },
        container: { kind: 'fence', info: token.info },
      }
    }
    if (top.type === 'table_open') {
      if (complete < 2) return null
      const head = text.slice(0, startOf(2))
      text = text.slice(head.length)
      return { mode: { kind: 'table', head }, container: { kind: 'table', head } }
    }
    if (top.type !== 'bullet_list_open' && top.type !== 'ordered_list_open') return null
    const ordered = top.type === 'ordered_list_open'
    const start = Number(token.attrGet('start') ?? 1)
    return { mode: { kind: 'list', loose: false }, container: { kind: 'list', ordered, start } }
  }

  const inFence = (fence: Fence, give: (cut: Cut) => void, last: boolean): boolean => {
    const lines = text.split('\n')
    const rest = lines.pop() ?? ''
    const end = lines.findIndex((line) => fence.closes(line))
    const code = (end === -1 ? lines : lines.slice(0, end)).map((line) => `${fence.strip(line)}\n`)
    if (code.length > 0) give({ kind: 'more', text: code.join('') })
    if (end !== -1) {
      give({ kind: 'close' })
      text = [...lines.slice(end + 1), rest].join('\n')
      mode = { kind: 'blocks' }
      return true
    }
    text = rest
    const shown = rest === '' || fence.closes(rest) ? '' : fence.strip(rest)
    tail = { inside: shown, loose: false, blocks: [] }
    if (last && shown !== '') give({ kind: 'more', text: shown })
    return false
  }

  const inList = (list: { loose: boolean }, give: (cut: Cut) => void, ending: boolean): boolean => {
    const dummy = dummyOf(text)
    const parsed = parse(dummy, ending)
    const { tokens, tops, lines } = parsed
    const items = itemsOf(tokens, tops[0]).slice(1)
    const count = settledTops(tokens, tops, lines)
    const after = tops[1]
    const ended = count > 0 && after !== undefined
    let last = items.length - 1
    while (last > 0 && (items[last] ?? 0) >= lines.complete) last -= 1
    const upTo = ended ? after.line : (items[last] ?? 1)
    if (upTo > 1) {
      const starts = [...items.filter((line) => line < upTo), upTo]
      const texts = starts.slice(0, -1).map((line, at) => lines.text(line, starts[at + 1] ?? upTo))
      const whole = ended
        ? isLoose(tokens)
        : isLooseText(texts.join(''), lines.text(upTo, upTo + 1))
      if (whole && !list.loose) {
        list.loose = true
        give({ kind: 'loose' })
      }
      for (const one of texts) give({ kind: 'more', text: one })
      readTo(parsed, upTo)
    }
    if (ended) {
      give({ kind: 'close' })
      mode = { kind: 'blocks' }
      return true
    }
    const end = after?.line ?? lines.count
    tail = {
      inside: lines.text(Math.max(1, upTo), end),
      loose: list.loose || isLoose(tokens),
      blocks: blocksAfter(parsed),
    }
    if (text.length < limits.max) return false
    give({ kind: 'more', text: tail.inside })
    give({ kind: 'close' })
    text = tail.blocks.join('')
    mode = { kind: 'blocks' }
    return true
  }
  const isLooseText = (items: string, next: string): boolean =>
    isLoose(grammar.blocks(`${dummyOf(items)}${items}${dummyOf(next)}`, definitions()))

  const inTable = (head: string, give: (cut: Cut) => void, last: boolean): boolean => {
    const parsed = parse(head, last)
    const { tokens, tops, lines } = parsed
    const count = settledTops(tokens, tops, lines)
    const [table, after] = tops
    if (!table) return false
    const ended = count > 0 && after !== undefined
    const upTo = ended ? after.line : Math.min(table.end - 1, lines.complete)
    if (upTo > 2) give({ kind: 'more', text: readTo(parsed, upTo) })
    if (ended) {
      if (upTo <= 2) readTo(parsed, upTo)
      give({ kind: 'close' })
      mode = { kind: 'blocks' }
      return true
    }
    tail = {
      inside: lines.text(Math.max(2, upTo), table.end),
      loose: false,
      blocks: blocksAfter(parsed),
    }
    return false
  }

  const step = (give: (cut: Cut) => void, last: boolean): boolean => {
    switch (mode.kind) {
      case 'blocks':
        return inBlocks(give, last)
      case 'fence':
        return inFence(mode.fence, give, last)
      case 'list':
        return inList(mode, give, last)
      case 'table':
        return inTable(mode.head, give, last)
    }
  }
  return {
    push: (more) => void (text += more),
    settle(give) {
      while (step(give, false));
    },
    end(give) {
      while (step(give, true));
      const { inside, loose, blocks } = tail
      if (mode.kind === 'list') {
        if (loose && !mode.loose) give({ kind: 'loose' })
        const dummy = dummyOf(inside)
        const parsed = {
          tokens: grammar.blocks(dummy + inside, definitions()),
          lines: linesOf(dummy + inside),
        }
        const items = itemsOf(parsed.tokens, topsOf(parsed.tokens)[0]).slice(1)
        for (const [at, line] of items.entries())
          give({ kind: 'more', text: parsed.lines.text(line, items[at + 1] ?? parsed.lines.count) })
      } else if (mode.kind === 'table' && inside !== '') give({ kind: 'more', text: inside })
      if (mode.kind !== 'blocks') give({ kind: 'close' })
      for (const one of blocks) give({ kind: 'block', text: one })
      text = ''
      mode = { kind: 'blocks' }
      tail = { inside: '', loose: false, blocks: [] }
    },
    tail: () => tail,
    get references() {
      return known
    },
    redefined() {
      const before = tailReferences
      tailReferences = new Map(Object.entries(known))
      const changed = new Set<string>()
      for (const label of [...before.keys(), ...tailReferences.keys(), ...fresh])
        if (!isSame(before.get(label), known[label])) changed.add(label)
      fresh.clear()
      return changed
    },
    get pending() {
      return text.length
    },
  }
}

interface Parsed {
  readonly tokens: readonly Token[]
  readonly tops: readonly Top[]
  readonly lines: TextLines
  /** Number of characters before the text. */
  readonly head: number
}

interface Opened {
  readonly mode: Mode
  readonly container: Container
}

/** Blocks after the first one, as their sources. */
function blocksAfter({ tops, lines }: Parsed): readonly string[] {
  const rest = tops.slice(1)
  return rest.map(({ line }, at) => lines.text(line, rest[at + 1]?.line ?? lines.count))
}

const isSame = (one: Reference | undefined, other: Reference | undefined): boolean =>
  one?.href === other?.href && one?.title === other?.title

/** A text by its lines, as a parser counts them. */
interface TextLines {
  readonly count: number
  /** Number of complete lines. */
  readonly complete: number
  /** Start of a line; the length of the text for lines beyond its end. */
  start(line: number): number
  isEmpty(line: number): boolean
  /** Lines from `from` (included) to `to` (excluded). */
  text(from: number, to: number): string
}

/** Indexes the lines of a text. */
function linesOf(text: string): TextLines {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const start = (line: number): number => starts[line] ?? text.length
  return {
    count: starts.length,
    complete: starts.length - 1,
    start,
    isEmpty: (line) => text.slice(start(line), start(line + 1)).trim() === '',
    text: (from, to) => text.slice(start(from), start(to)),
  }
}

/** Parsing rules for the lines of an open fence. */
interface Fence {
  /** Offset of its first line. */
  readonly begin: number
  closes(line: string): boolean
  /** A line without the indentation of the fence. */
  strip(line: string): string
}

/** The fence at the start of a text; null if its first line is incomplete, or is not a fence. */
function fenceOf(text: string): Fence | null {
  const opener = /^( {0,3})(`{3,}|~{3,})[^\n]*\n/.exec(text)
  if (!opener) return null
  const [whole, { length: indent } = '', marks = ''] = opener
  const sign = marks.startsWith('~') ? '~' : '`'
  const closing = new RegExp(`^ {0,3}${sign}{${marks.length},}[ \\t]*$`)
  return {
    begin: whole.length,
    closes: (line) => closing.test(line),
    strip: (line) => (indent === 0 ? line : stripped(line, indent)),
  }
}

function stripped(line: string, indent: number): string {
  let columns = 0
  let at = 0
  for (; columns < indent; at++) {
    if (line[at] === ' ') columns += 1
    else if (line[at] === '\t') columns += 4 - (columns % 4)
    else break
  }
  return ' '.repeat(Math.max(0, columns - indent)) + line.slice(at)
}

import { drawSlot } from '../insert-formulas.ts'
import { limits } from '../limits.ts'
import type { Steps } from '../render-steps.ts'
import { createAppendedText, type GrowingText } from './text-parts.ts'
import { renewChips } from './chips.ts'
import type { CodeColors } from './code-colors.ts'
import { coloredCode } from './color-code.ts'
import { openContainer, type ContainerPage, type OpenContainer } from './containers.ts'
import { outdatedDiagrams, showDiagram, type DiagramPage } from './diagram-frame.ts'
import { type Decorated, drawFragment, type DrawnFragment } from './draw-fragment.ts'
import type { FragmentSource } from './fragment-tokens.ts'
import { createIntake } from './marks.ts'
import {
  createGroup,
  type Group,
  startUnmounted,
  textAway,
  createMountedFragments,
} from './mounted-fragments.ts'
import { patch } from './patch.ts'
import { createWork, type Frames } from './render-work.ts'
import { type Cut, createSplitter } from './split-fragments.ts'
import type { AnswerLabels, AnswerKit } from './stream-context.ts'

/** Characters processed at once, characters of a group, and length above which only content near the view stays in the page. */
const intakeLetters = 4000
const groupLetters = 5000
const unloadFromLetters = 150_000
/** Characters above which a growing answer may run past the view faster than anyone reads. */
const hastyLetters = 20_000
/** Characters received after a group starts that make it pass the view before anyone sees it: it starts unmounted. */
const passedLetters = 8000
/** Characters per millisecond that no one can follow, and milliseconds between two renderings of them. */
const fastLetters = 10
const fastPauseMs = 500
/** Characters of an answer for each millisecond between two checks for new text. */
const lettersOfWait = 8000

/** Options for drawing an answer. */
interface AnswerOptions {
  readonly kit: AnswerKit
  readonly words: AnswerLabels
  readonly mediaBase: string
  readonly frames: Frames
  readonly dark: () => boolean
  /** Whether times in brackets are those of a meeting, and become buttons. */
  readonly times?: boolean
  /** Characters that stay in the page completely; of a longer answer only content near the view. Has a default. */
  readonly keeps?: number
}

/** An answer in the page. */
export interface AnswerView {
  /**
   * Shows a text; if it only grew, existing content stays. `growing`: more may follow. A `TextParts` that is the same object has
   * only grown.
   */
  update(text: GrowingText, growing: boolean): void
  /** Sets the numbers of the sources, each with its page or time. */
  sources(places: ReadonlyMap<number, string>): void
  /** Redraws content that depends on the theme. */
  recolor(): void
  /** Draws now for up to the given milliseconds. */
  hurry(ms: number): void
  /** Whether all received text is drawn. */
  readonly idle: boolean
  end(): void
}

const areSame = (a: ReadonlyMap<number, string>, b: ReadonlyMap<number, string>): boolean =>
  a.size === b.size && [...a].every(([number, place]) => b.get(number) === place)

/** Draws an answer into an element as it is received: settled content once, unsettled content repeatedly. */
export function createAnswerView(root: HTMLElement, options: AnswerOptions): AnswerView {
  const { kit, words, mediaBase, frames, dark, times = false, keeps = unloadFromLetters } = options
  const diagrams = { diagrams: kit.diagrams, words, dark }
  const enhance = createEnhancer({ ...diagrams, colors: kit.colors })
  let text: GrowingText = ''
  let growing = true
  let sources: ReadonlyMap<number, string> = new Map()
  let groups: Group[] = []
  /** Groups that are not watched before all of their burst is in the page: until then they are at the end, in view. */
  let passed: Group[] = []
  let open: Group | null = null
  let container: OpenContainer | null = null
  let letters = 0
  let ended = false
  let stale = false
  let rested = 0
  /** Text that is parsed without a pause: its end, when that was the end of all text, and whether it was received too fast. */
  let burst = { end: 0, at: frames.now(), isFast: false }
  let grown = createAppendedText()
  let intake = createIntake()
  let splitter = createSplitter(kit.grammar)
  const tail = document.createElement('div')
  tail.className = 'md-tail'
  root.replaceChildren(tail)

  const draw = (source: FragmentSource, goesOn = false): Steps<DrawnFragment> =>
    drawFragment(
      source,
      { ...kit, words, mediaBase, sources, times, references: splitter.references },
      goesOn,
    )
  const watch = (group: Group): void => {
    groups.push(group)
    near.watch(group)
  }
  const begin = (group: Group): void => {
    tail.before(group.element)
    watch(group)
  }
  const beginUnmounted = (group: Group): void => {
    startUnmounted(group)
    tail.before(group.element)
    passed.push(group)
  }
  function* watchPassed(): Steps {
    for (const group of passed) watch(group)
    passed = []
    yield 0
  }
  /** Marks a group as complete: far from the view, it can be unmounted. */
  const fill = (group: Group): void => {
    group.full = true
    if (letters > keeps) near.watch(group)
  }

  const page: ContainerPage = {
    words,
    begin,
    fill,
    put: (source, group, into) => mounted.put(source, group, into),
    watch,
    preview: (source) => draw(source, true),
    closed: (frame) => work.later(() => enhance({ formulas: [], codes: [frame] }, work.later)),
  }
  const blockGroup = (): Group => {
    if (open && open.letters < groupLetters) return open
    if (open) fill(open)
    open = createGroup()
    const isPassed =
      growing && burst.isFast && letters > hastyLetters && text.length - letters > passedLetters
    if (isPassed) beginUnmounted(open)
    else begin(open)
    return open
  }
  const give = (cut: Cut): void => {
    work.add(() => place(cut))
  }
  function* place(cut: Cut): Steps {
    switch (cut.kind) {
      case 'block': {
        const group = blockGroup()
        return yield* mounted.put(cut, group)
      }
      case 'open':
        if (open) fill(open)
        open = null
        container = openContainer(cut.container, page)
        break
      case 'more':
        if (container) yield* container.more(cut.text)
        break
      case 'loose':
        container?.loose(true)
        break
      case 'close':
        container?.close()
        container = null
    }
  }

  /** Draws the next part of the text, else its unsettled end. */
  const more = (): Steps | null => {
    if (!grown.hasAll(text) && !showsTail()) return appendText()
    if (!growing && !ended && grown.hasAll(text)) return finish()
    if (stale) return preview()
    return null
  }
  function* appendText(): Steps {
    const from = frames.now()
    const chunk = grown.next(text, intakeLetters)
    if (chunk === null) return reset()
    // Characters of a concatenated string are copied completely each time they are read.
    if (growing && typeof text === 'string' && grown.hasAll(text))
      rested = from + text.length / lettersOfWait
    if (letters >= burst.end) {
      const ms = from - burst.at
      // What is there when the view is created was not received at once.
      const isFast = burst.end > 0 && ms > 0 && text.length - burst.end > fastLetters * ms
      burst = { end: text.length, at: from, isFast: isFast && text.length > hastyLetters }
    }
    const isLong = letters > keeps
    letters += chunk.length
    if (!isLong && letters > keeps) for (const group of groups) near.watch(group)
    splitter.push(intake.take(chunk))
    splitter.settle(give)
    stale = true
    redefine()
    // Unsettled text is parsed again each time: the longer it takes, the less often.
    rested = Math.max(rested, frames.now() + Math.min(1000, 3 * (frames.now() - from)))
    if (letters >= burst.end) {
      work.add(watchPassed)
      if (burst.isFast) rested = Math.max(rested, burst.at + fastPauseMs)
    }
    yield 0
  }
  function* finish(): Steps {
    ended = true
    splitter.push(intake.end())
    splitter.end(give)
    redefine()
    stale = true
    work.add(watchPassed)
    if (letters <= keeps)
      for (const group of [...groups, ...passed]) work.later(() => mounted.restore(group))
    yield 0
  }
  function* preview(): Steps {
    stale = false
    const from = frames.now()
    const { inside, loose, blocks } = splitter.tail()
    container?.loose(loose)
    yield* container?.inside(inside) ?? nothing()
    const fragment = document.createDocumentFragment()
    for (const [at, block] of blocks.entries()) {
      const drawn = yield* draw({ kind: 'block', text: block }, at === blocks.length - 1)
      fragment.append(drawn.fragment)
    }
    patch(tail, fragment)
    rested = Math.max(rested, frames.now() + Math.min(1000, 3 * (frames.now() - from)))
    yield 1
  }
  /** Redraws links whose definitions were received after them. */
  const redefine = (): void => {
    const changed = splitter.redefined()
    if (changed.size === 0) return
    for (const group of groups)
      for (const unit of group.units)
        if ([...changed].some((label) => unit.drawn.labels.has(label)))
          work.add(() => mounted.again(unit, group))
  }
  const reset = (): void => {
    work.clear()
    for (const { element } of [...groups, ...passed]) element.remove()
    groups = []
    passed = []
    open = null
    container = null
    letters = 0
    burst = { end: 0, at: frames.now(), isFast: false }
    ended = false
    stale = true
    grown = createAppendedText()
    intake = createIntake()
    splitter = createSplitter(kit.grammar)
    work.wake()
  }
  const isResting = (): boolean => growing && !grown.hasAll(text) && frames.now() < rested
  /** Whether the unsettled end is drawn before more text is parsed: otherwise, it might never be drawn. */
  const showsTail = (): boolean => growing && stale && burst.isFast && letters >= burst.end
  const onCopy = (): void => fillForCopy([...groups, ...passed])
  document.addEventListener('copy', onCopy)
  const work = createWork(frames, more, () => isResting() && !showsTail())
  const mounted = createMountedFragments({
    work,
    draw,
    enhance: (what) => enhance(what, work.later),
    isHasty: () => growing && letters > hastyLetters,
    isLong: () => letters > keeps,
  })
  const near = createNearness(mounted.entered, mounted.left)
  return {
    update(wanted, mayGrow) {
      const wentOn = ended && mayGrow
      const isAnother = wanted !== text && (!mayGrow || typeof wanted !== 'string')
      const changed = isAnother && !grown.hasSamePrefix(text, wanted)
      text = wanted
      growing = mayGrow
      if (wentOn || changed || (ended && !grown.hasAll(text))) reset()
      work.wake()
    },
    sources(places) {
      if (areSame(places, sources)) return
      sources = places
      renewChips(root, { sources, words })
    },
    recolor() {
      for (const frame of outdatedDiagrams(root, dark())) void showDiagram(frame, diagrams)
    },
    hurry: (ms) => work.hurry(ms),
    get idle() {
      return work.idle
    },
    end() {
      work.clear()
      near.end()
      document.removeEventListener('copy', onCopy)
    },
  }
}

function* nothing(): Steps {
  yield 0
}

/**
 * Temporarily restores the text of unmounted groups within the selection while the browser copies it. A copy would omit them
 * without any notice.
 */
function fillForCopy(groups: readonly Group[]): void {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed) return
  for (const group of groups) {
    // Groups that are just being restored will be there in a moment.
    if (!group.away || group.units.length > 0) continue
    if (!selection.containsNode(group.element, true)) continue
    const written = document.createElement('div')
    written.className = 'md-source'
    written.textContent = textAway(group.element)
    group.host.append(written)
    setTimeout(() => written.remove())
  }
}

/**
 * Draws what is deferred until its block is complete and near: formulas, code colors, diagrams. `later` receives work for a later
 * time.
 */
type Enhancer = (what: Decorated, later: (begin: () => Steps) => void) => Steps

function createEnhancer(page: DiagramPage & { readonly colors: CodeColors }): Enhancer {
  return function* enhance({ formulas, codes }, later) {
    const small = formulas.length > limits.smallFormulas
    for (const slot of formulas) {
      const nodes = drawSlot(slot, page.words.formula, small)
      if (nodes) slot.element.append(...nodes)
      yield 8
    }
    for (const frame of codes) {
      const language = frame.dataset['lang'] ?? ''
      const code = frame.querySelector<HTMLElement>('code')
      if (!code || language === '') continue
      if (language.toLowerCase() === 'mermaid') {
        void showDiagram(frame, page)
        continue
      }
      const lines = coloredCode(code)
      page.colors.color(lines.text, language, (some) => {
        if (code.isConnected) later(() => lines.color(some))
      })
      yield 1
    }
  }
}

/** Distance from the view within which content is prepared, in pixels. */
const margin = 1500

/** Reports groups that come near the view, and leave it. */
interface Nearness {
  /** Reports the position of a group, and its changes from then on; again if it is watched again. */
  watch(group: Group): void
  end(): void
}

/** Creates it. `left` receives the height of a group in the page. */
function createNearness(
  entered: (group: Group) => void,
  left: (group: Group, height: number) => void,
): Nearness {
  const groups = new WeakMap<Element, Group>()
  const options: IntersectionObserverInit & { scrollMargin: string } = {
    rootMargin: `${margin}px`,
    scrollMargin: `${margin}px`,
  }
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const group = groups.get(target)
      if (!group) continue
      group.near = isIntersecting
      if (isIntersecting) entered(group)
      else left(group, boundingClientRect.height)
    }
  }, options)
  return {
    watch(group) {
      groups.set(group.element, group)
      observer.unobserve(group.element)
      observer.observe(group.element)
    },
    end: () => observer.disconnect(),
  }
}

import { drawFragment } from '../../../../../src/renderer/src/lib/markdown/stream/draw-fragment.ts'
import { definitions } from '../../../../../src/renderer/src/lib/markdown/stream/grammar.ts'
import { createIntake } from '../../../../../src/renderer/src/lib/markdown/stream/marks.ts'
import { createAnswerView } from '../../../../../src/renderer/src/lib/markdown/stream/view.ts'
import { kit, words } from './page.ts'
import { visibleText } from './reading.ts'

const sources: ReadonlyMap<number, string> = new Map(
  [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => [number, '']),
)

/** Returns the content of a text parsed as a whole, without splitting, groups and frames. */
function whole(text: string, growing: boolean): string {
  const intake = createIntake()
  const source = intake.take(text) + (growing ? '' : intake.end())
  const references = definitions()
  kit.grammar.blocks(source, references, growing)
  const options = { ...kit, words, mediaBase: '', sources, references }
  const steps = drawFragment({ kind: 'block', text: source }, options, growing)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return visibleText(step.value.fragment)
}

/** Returns a reproducible generator of numbers from 0 to 1. */
function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** An observer that reports elements entering and leaving the viewport when the test says so. */
class Watcher {
  static last: Watcher | null = null
  readonly seen = new Set<Element>()
  readonly notify: (entries: readonly object[]) => void
  constructor(notify: (entries: readonly object[]) => void) {
    this.notify = notify
    Watcher.last = this
  }
  observe(element: Element): void {
    this.seen.add(element)
  }
  unobserve(element: Element): void {
    this.seen.delete(element)
  }
  disconnect(): void {
    this.seen.clear()
  }
}

/**
 * Streams a text in chunks while parts of the answer randomly leave and enter the viewport, frames are late and work is
 * hurried; now and then everything is brought into view and the content is read. Returns the differences from a full parse,
 * and how often parts were removed from the page.
 */
export async function takeouts(
  text: string,
  seed: number,
  inspections: number,
): Promise<{ readonly differs: readonly string[]; readonly out: number }> {
  const box = document.createElement('div')
  box.className = 'md-answer'
  document.querySelector('main')?.append(box)
  const chance = chances(seed)
  const frames: (() => void)[] = []
  let clock = 0
  const nativeObserver = window.IntersectionObserver
  Reflect.set(window, 'IntersectionObserver', Watcher)
  const view = createAnswerView(box, {
    kit,
    words,
    mediaBase: '',
    frames: { now: () => (clock += 0.4), ask: (frame) => void frames.push(frame) },
    dark: () => false,
    keeps: 2000,
  })
  Reflect.set(window, 'IntersectionObserver', nativeObserver)
  const watcher = Watcher.last
  view.sources(sources)

  const notifyEntries = (isNear: (element: Element, at: number) => boolean): void => {
    const entries = [...(watcher?.seen ?? [])].map((target, at) => ({
      target,
      isIntersecting: isNear(target, at),
      boundingClientRect: { height: 40 },
    }))
    watcher?.notify(entries)
  }
  const frame = (): void => {
    clock += 16
    for (const one of frames.splice(0)) one()
  }
  const settle = (): void => {
    for (let turns = 0; frames.length > 0 && turns < 20_000; turns++) {
      clock += 5000
      frame()
    }
  }
  const differs: string[] = []
  let out = 0
  let shown = 0
  const inspect = (growing: boolean): void => {
    settle()
    notifyEntries(() => true)
    settle()
    const [actual, wanted] = [visibleText(box), whole(text.slice(0, shown), growing)]
    if (actual === wanted) return
    let at = 0
    while (actual[at] === wanted[at]) at += 1
    const from = Math.max(0, at - 80)
    differs.push(`${shown}: ${actual.slice(from, at + 120)} <> ${wanted.slice(from, at + 120)}`)
  }
  const due = Array.from(
    { length: inspections },
    (_, at) => ((at + 1) * text.length) / (inspections + 1),
  )
  while (shown < text.length) {
    const dice = chance()
    if (dice < 0.3) {
      shown = Math.min(text.length, shown + 1 + Math.floor(chance() ** 3 * 4000))
      view.update(text.slice(0, shown), true)
    } else if (dice < 0.6) frame()
    else if (dice < 0.65) view.hurry(chance() * 20)
    else if (dice < 0.85) {
      const count = watcher?.seen.size ?? 0
      const from = Math.floor(chance() * count)
      const limit = 1 + Math.floor(chance() * 4)
      notifyEntries((_, at) => at >= from && at < from + limit)
    } else notifyEntries(() => chance() < 0.5)
    out += box.querySelectorAll(':is(.md-group, .md-more-rows)[style*="height"]').length
    if (shown >= (due[0] ?? Infinity)) {
      due.shift()
      inspect(true)
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
  view.update(text, false)
  for (let turns = 0; turns < 200; turns++) {
    notifyEntries(() => chance() < 0.3)
    frame()
  }
  inspect(false)
  view.end()
  box.remove()
  return { differs, out }
}

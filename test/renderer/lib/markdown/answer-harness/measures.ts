import { cadence } from '../../../../../src/renderer/src/domains/chats/thread/live-answer.ts'
import { createTextParts } from '../../../../../src/renderer/src/lib/markdown/stream/text-parts.ts'
import { createAnswerView } from '../../../../../src/renderer/src/lib/markdown/stream/view.ts'
import { createPlain } from './plain.ts'
import { kit, words } from './page.ts'

const scroller = document.querySelector('main') ?? document.body
const box = document.createElement('div')
scroller.append(box)

const answer = (now: () => number) => {
  box.replaceChildren()
  box.className = 'md-answer'
  const frames = { now, ask: (frame: () => void) => void requestAnimationFrame(frame) }
  const view = createAnswerView(box, { kit, words, mediaBase: '', frames, dark: () => false })
  view.sources(new Map(Array.from({ length: 20 }, (_, at) => [at + 1, ''])))
  return view
}
const settled = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

/**
 * Measures the cost of an answer in the page, in milliseconds per token: work and layout in sequence. `plain`: with plain
 * rendering, with or without syntax highlighting.
 */
export async function tokens(
  before: string,
  after: readonly string[],
  plain: 'colored' | 'bare' | null,
): Promise<number[]> {
  // The clock stands still during work and jumps far ahead between tokens: nothing is deferred, each token is rendered at
  // once.
  let clock = 0
  const view = plain ? null : answer(() => clock)
  const drawn = plain ? createPlain(box, plain === 'colored') : null
  let text = before
  view?.update(text, true)
  view?.hurry(1)
  drawn?.draw(text)
  await settled()
  await settled()
  const times: number[] = []
  for (const token of after) {
    text += token
    clock += 60_000
    const begun = performance.now()
    view?.update(text, true)
    view?.hurry(1)
    drawn?.draw(text)
    scroller.scrollTop = scroller.scrollHeight
    times.push(performance.now() - begun)
    await settled()
  }
  view?.end()
  box.replaceChildren()
  return times
}

/**
 * Streams a text at this many characters per second, rendered and followed at its end like in the app; resolves when all of
 * it is shown.
 */
export async function stream(source: string, lettersOfSecond: number): Promise<number> {
  const view = answer(() => performance.now())
  const follow = new ResizeObserver(() => {
    scroller.scrollTop = scroller.scrollHeight
  })
  follow.observe(box)
  const begun = performance.now()
  const text = createTextParts('')
  for (let due = 0; due < source.length;) {
    due = Math.min(
      source.length,
      Math.floor(((performance.now() - begun) / 1000) * lettersOfSecond),
    )
    text.add(source.slice(text.length, due))
    view.update(text, due < source.length)
    await new Promise((resolve) => setTimeout(resolve, cadence(text.length)))
  }
  while (!view.idle) await settled()
  follow.disconnect()
  return performance.now() - begun
}

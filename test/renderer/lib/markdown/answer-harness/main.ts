import { finishedAnswer } from '../../../../../src/renderer/src/lib/markdown/stream/finished-fragments.ts'
import { createAnswerView } from '../../../../../src/renderer/src/lib/markdown/stream/view.ts'
import { stream, tokens } from './measures.ts'
import { kit, words } from './page.ts'
import { takeouts } from './takeouts.ts'

const box = document.createElement('div')
box.className = 'md-answer'
document.querySelector('#answer')?.append(box)

/** Creates an answer in the page, new each time. */
function answer(sources: readonly number[] = Array.from({ length: 20 }, (_, at) => at + 1)) {
  const view = createAnswerView(box, {
    kit,
    words,
    mediaBase: `${location.origin}/media/`,
    frames: { now: () => performance.now(), ask: (frame) => void requestAnimationFrame(frame) },
    dark: () => matchMedia('(prefers-color-scheme: dark)').matches,
  })
  view.sources(new Map(sources.map((one) => [one, ''])))
  return view
}

let view = answer()

/** Functions for tests and measurements. */
Object.assign(window, {
  tokens,
  stream,
  takeouts,
  finished(text: string) {
    const holder = document.createElement('div')
    holder.append(finishedAnswer(text, { kit, mediaBase: '', links: 'real', formulas: 'mathml' }))
    return holder.innerHTML
  },
  /** `sources`: the numbers of existing sources. */
  begin(sources?: readonly number[]) {
    view.end()
    view = answer(sources)
  },
  show(text: string, growing: boolean, ms = 0) {
    view.update(text, growing)
    if (ms > 0) view.hurry(ms)
  },
})

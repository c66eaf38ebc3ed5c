import type { BlockKind } from '../../../../../src/shared/model/document.ts'
import { createBlockDrawer } from '../../../../../src/renderer/src/lib/markdown/draw-block.ts'
import { installKatexSheet } from '../../../../../src/renderer/src/lib/markdown/katex-sheet.ts'
import { tokenSheet } from '../../../../../src/renderer/src/kit/theme.ts'
import '../../../../../src/renderer/src/kit/base.css'
import '../../../../../src/renderer/src/lib/markdown/content.css'

const style = document.createElement('style')
style.textContent = tokenSheet()
document.head.append(style)
installKatexSheet()

const options = {
  mediaBase: `${location.origin}/media/`,
  imageSource: (address: string) =>
    address.startsWith('page=') ? `${location.origin}/media/own-picture` : null,
  words: {
    imageAway: 'not loaded',
    formula: { long: 'too long', deep: 'too deep', wrong: 'not understood' },
  },
}
const drawer = createBlockDrawer(options)

interface Block {
  readonly kind: BlockKind
  readonly content: string
}

/** Renders a block at the end of the page and returns the result in milliseconds and text. */
function drawBlock(block: Block, anyway = false) {
  const host = document.querySelector('#blocks')
  const begun = performance.now()
  const drawn = drawer.draw(block, anyway)
  if (drawn.state === 'source') {
    const pre = document.createElement('pre')
    pre.textContent = block.content.slice(0, 2000)
    host?.append(pre)
    return { state: drawn.why, ms: performance.now() - begun, longest: 0, nodes: 0 }
  }
  const ms = performance.now() - begun
  host?.append(drawn.element)
  let longest = 0
  for (let done = false; !done;) {
    const at = performance.now()
    done = drawn.drawMore(() => performance.now() - at < 12)
    longest = Math.max(longest, performance.now() - at)
  }
  const at = performance.now()
  const { height } = drawn.element.getBoundingClientRect()
  const layout = performance.now() - at
  const nodes = drawn.element.querySelectorAll('*').length
  return { state: 'drawn', ms, longest, layout, nodes, height }
}

/**
 * Returns the rendered block when this many elements are sanitized per step, also after it was removed and inserted again.
 */
function drawnAs(block: Block, elementsOfStep: number): readonly string[] {
  const drawn = createBlockDrawer({ ...options, elementsOfStep }).draw(block, true)
  if (drawn.state === 'source') return [drawn.why, drawn.why]
  while (!drawn.drawMore((put) => put < 1)) continue
  const first = drawn.element.innerHTML
  drawn.takeOut()
  drawn.drawMore(() => true)
  return [first, drawn.element.innerHTML]
}

/** Functions for the test. */
Object.assign(window, { drawBlock, drawnAs })

import hljs from 'highlight.js/lib/core'
import typescript from 'highlight.js/lib/languages/typescript'
import { createCleaner } from '../../../../../src/renderer/src/lib/markdown/clean.ts'
import { tameLinks } from '../../../../../src/renderer/src/lib/markdown/links.ts'
import {
  drawSlot,
  placeFormulas,
} from '../../../../../src/renderer/src/lib/markdown/insert-formulas.ts'
import {
  createGrammar,
  definitions,
} from '../../../../../src/renderer/src/lib/markdown/stream/grammar.ts'
import { htmlOf } from '../../../../../src/renderer/src/lib/markdown/stream/html.ts'

const troubles = { long: '', deep: '', wrong: '' }

hljs.registerLanguage('ts', typescript)

/**
 * Plain rendering: the whole text is parsed, sanitized and inserted each time, including formulas; `colors`: with syntax
 * highlighting too, as plain rendering provides it.
 */
export function createPlain(box: HTMLElement, colors: boolean): { draw(text: string): void } {
  const grammar = createGrammar()
  const clean = createCleaner(window)
  return {
    draw(text) {
      const references = definitions()
      const tokens = grammar.blocks(text, references)
      const steps = htmlOf(tokens, { grammar, references, onLabel: () => undefined })
      let step = steps.next()
      while (step.done !== true) step = steps.next()
      const fragment = clean(step.value.html)
      tameLinks(fragment)
      for (const slot of placeFormulas(fragment, step.value.formulas)) {
        const nodes = drawSlot(slot, troubles, false)
        if (nodes) slot.element.append(...nodes)
      }
      if (colors)
        for (const code of fragment.querySelectorAll<HTMLElement>('pre code')) {
          code.className = 'language-ts'
          hljs.highlightElement(code)
        }
      const block = document.createElement('div')
      block.className = 'md'
      block.append(fragment)
      box.replaceChildren(block)
    },
  }
}

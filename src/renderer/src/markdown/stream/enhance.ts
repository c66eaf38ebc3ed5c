import { limits } from '../limits.ts'
import { drawSlot } from '../insert-formulas.ts'
import type { Steps } from '../render-queue.ts'
import type { CodeColors } from './code-colors.ts'
import { coloredCode } from './color-code.ts'
import { showDiagram, type DiagramPage } from './diagram-frame.ts'
import type { Dressed } from './decorate-fragment.ts'

/**
 * Draws what is deferred until its block is complete and near: formulas, code colors, diagrams. `later` receives work for a later
 * time.
 */
export type Enhancer = (what: Dressed, later: (begin: () => Steps) => void) => Steps

export function createEnhancer(page: DiagramPage & { readonly colors: CodeColors }): Enhancer {
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

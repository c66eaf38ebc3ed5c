import { installKatexSheet } from '../../../../src/renderer/src/markdown/katex-sheet.ts'
import { createAnswerKit } from '../../../../src/renderer/src/markdown/stream/stream-context.ts'
import { tokenSheet } from '../../../../src/renderer/src/ui/theme.ts'
import '../../../../src/renderer/src/ui/base.css'
import '../../../../src/renderer/src/markdown/content.css'
import '../../../../src/renderer/src/markdown/stream/answer.css'

const style = document.createElement('style')
style.textContent = `${tokenSheet()} main { height: 100vh; overflow: auto; padding: 1rem }`
document.head.append(style)
installKatexSheet()

/** The kit for rendering answers. */
export const kit = createAnswerKit()
/** Labels of answers. */
export const words = {
  source: (n: number) => `Source ${n}`,
  imageAway: 'not loaded',
  table: 'Table',
  code: 'Code',
  copy: 'Copy',
  copied: 'Copied',
  fold: 'Collapse',
  diagram: {
    name: 'Diagram',
    source: 'Source',
    long: 'too long',
    reach: 'reaches',
    wrong: 'wrong',
  },
  formula: { long: 'too long', deep: 'too deep', wrong: 'not understood' },
}

import { installKatexSheet } from '../../../../../src/renderer/src/lib/markdown/katex-sheet.ts'
import { createAnswerKit } from '../../../../../src/renderer/src/lib/markdown/stream/stream-context.ts'
import { tokenSheet } from '../../../../../src/renderer/src/kit/theme.ts'
import '../../../../../src/renderer/src/kit/base.css'
import '../../../../../src/renderer/src/lib/markdown/content.css'
import '../../../../../src/renderer/src/lib/markdown/stream/answer.css'

const style = document.createElement('style')
style.textContent = `${tokenSheet()} main { height: 100vh; overflow: auto; padding: 1rem }`
document.head.append(style)
installKatexSheet()

/** The kit for rendering answers. */
export const kit = createAnswerKit()
/** Labels of answers. */
export const words = {
  source: (n: number) => `Source ${n}`,
  time: (time: string) => `Play from ${time}`,
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

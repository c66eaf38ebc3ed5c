import type { Diagrams } from './diagram.ts'
import type { AnswerLabels } from './stream-context.ts'

/** Dependencies of showing diagrams. */
export interface DiagramPage {
  readonly diagrams: Diagrams
  readonly words: AnswerLabels
  readonly dark: () => boolean
}

/**
 * Replaces a diagram's source with the diagram; a button shows the source again. If it cannot be drawn, the source shows the
 * reason.
 */
export async function showDiagram(frame: HTMLElement, page: DiagramPage): Promise<void> {
  const source = frame.querySelector('code')?.textContent ?? ''
  const dark = page.dark()
  const drawn = await page.diagrams.draw(source, dark)
  const head = frame.querySelector('.md-code-head')
  if (!frame.isConnected || !head || page.dark() !== dark) return
  frame.querySelector('.md-diagram-why')?.remove()
  if (!drawn.ok) {
    const why = document.createElement('p')
    why.className = 'md-diagram-why'
    why.textContent = page.words.diagram[drawn.why]
    head.after(why)
    return
  }
  const image = imageIn(frame, head, page.words)
  const url = URL.createObjectURL(drawn.svg)
  image.onload = () => URL.revokeObjectURL(url)
  image.width = drawn.width
  image.height = drawn.height
  image.src = url
  frame.dataset['drawn'] = dark ? 'dark' : 'light'
}

function imageIn(frame: HTMLElement, head: Element, words: AnswerLabels): HTMLImageElement {
  const old = frame.querySelector<HTMLImageElement>('img.md-diagram')
  if (old) return old
  const image = document.createElement('img')
  image.className = 'md-diagram'
  image.alt = words.diagram.name
  head.after(image)
  const toggle = document.createElement('button')
  toggle.type = 'button'
  toggle.dataset['act'] = 'source'
  toggle.textContent = words.diagram.source
  toggle.setAttribute('aria-pressed', 'false')
  head.querySelector('.md-copy')?.before(toggle)
  return image
}

/** Diagrams that were drawn for the other theme. */
export const outdatedDiagrams = (within: ParentNode, dark: boolean): readonly HTMLElement[] =>
  [...within.querySelectorAll<HTMLElement>('.md-code[data-drawn]')].filter(
    ({ dataset }) => dataset['drawn'] !== (dark ? 'dark' : 'light'),
  )

/** The action of a button in drawn text: code to copy, or the source of a diagram, which is shown or hidden at once. */
export function actionOf(
  event: Event,
): { readonly copy: string; readonly button: HTMLElement } | null {
  const button =
    event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-act]') : null
  const frame = button?.closest('.md-code')
  if (!button || !frame) return null
  switch (button.dataset['act']) {
    case 'copy':
      return { copy: frame.querySelector('code')?.textContent ?? '', button }
    case 'source': {
      const on = frame.classList.toggle('md-as-source')
      button.setAttribute('aria-pressed', String(on))
      return null
    }
    case 'fold': {
      const on = frame.classList.toggle('md-folded')
      button.setAttribute('aria-expanded', String(!on))
      return null
    }
    default:
      return null
  }
}

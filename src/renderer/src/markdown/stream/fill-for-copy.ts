import { textAway, type Group } from './groups.ts'

/**
 * For the moment in which the browser copies what is selected: what of it is out of the page stands in its place, as it was written. A
 * copy would leave it out, and nobody would see that.
 */
export function fillForCopy(groups: readonly Group[]): void {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed) return
  for (const group of groups) {
    // What is just coming back is there in a moment.
    if (!group.away || group.units.length > 0) continue
    if (!selection.containsNode(group.element, true)) continue
    const written = document.createElement('div')
    written.className = 'md-source'
    written.textContent = textAway(group.element)
    group.host.append(written)
    setTimeout(() => written.remove())
  }
}

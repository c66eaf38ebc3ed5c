import { textAway, type Group } from './groups.ts'

/**
 * Temporarily restores the text of unmounted groups within the selection while the browser copies it. A copy would omit them
 * without any notice.
 */
export function fillForCopy(groups: readonly Group[]): void {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed) return
  for (const group of groups) {
    // Groups that are just being restored will be there in a moment.
    if (!group.away || group.units.length > 0) continue
    if (!selection.containsNode(group.element, true)) continue
    const written = document.createElement('div')
    written.className = 'md-source'
    written.textContent = textAway(group.element)
    group.host.append(written)
    setTimeout(() => written.remove())
  }
}

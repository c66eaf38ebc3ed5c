/** Elements that only contain others or carry styles. */
const carriers = /^(div|span|colgroup|col|button)$/

/**
 * Returns the rendered content as a user reads it: elements with their meaning, items with their numbers, and complete lists
 * and tables that are rendered in parts.
 */
export function visibleText(root: ParentNode & Node): string {
  const parts: string[] = []
  const walk = (node: Node): void => {
    if (node instanceof Text) parts.push(node.data)
    if (!(node instanceof HTMLElement)) return node.childNodes.forEach(walk)
    if (node.matches('.md-code-head, img.md-diagram, .md-diagram-why, .md-more-rows thead')) return
    if (node.matches('.md-formula'))
      return void parts.push(`[math ${node.dataset['tex'] ?? node.textContent}]`)
    if (node.matches('.md-cite')) return void parts.push(`[${node.textContent}]`)
    if (node.matches('.md-goes-on, .md-more-rows')) parts.push('<goes-on>')
    if (carriers.test(node.localName)) return node.childNodes.forEach(walk)
    parts.push(`<${tagOf(node)}>`)
    node.childNodes.forEach(walk)
    parts.push(`</${node.localName}>`)
  }
  walk(root)
  return parts
    .join('')
    .replaceAll(/\s*\n\s*(?=<)|(?<=>)\s*\n\s*/g, '')
    .replaceAll(/\n+<\/code>/g, '</code>')
    .replaceAll('<tbody></tbody>', '')
    .replaceAll(/<goes-on><([ou]l)[^>]*><\/\1>/g, '')
    .replaceAll(/<\/([ou]l)><goes-on><\1[^>]*>/g, '')
    .replaceAll('</table><goes-on><table>', '')
    .replaceAll('</tbody><tbody>', '')
}

function tagOf(element: HTMLElement): string {
  if (element instanceof HTMLLIElement) {
    const { parentElement: list } = element
    if (!(list instanceof HTMLOListElement)) return 'li'
    return `li ${list.start + [...list.children].indexOf(element)}`
  }
  if (element.localName === 'ul' || element.localName === 'ol')
    return element.parentElement?.classList.contains('md-tight')
      ? `${element.localName} tight`
      : element.localName
  if (element instanceof HTMLAnchorElement) return `a ${element.dataset['url'] ?? ''}`
  if (element instanceof HTMLTableCellElement)
    return `${element.localName} ${element.style.textAlign}`
  return element.localName
}

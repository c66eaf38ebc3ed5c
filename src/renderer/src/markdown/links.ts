/** The address of a link that may be offered to the system's browser: http, https and mailto; null for any other. */
export function linkAddress(href: string): string | null {
  if (href.length > 2048 || !/^\s*(?:https?:|mailto:)/i.test(href)) return null
  try {
    const { href: url, protocol, username, password } = new URL(href.trim())
    const named = username !== '' || password !== ''
    return /^(?:https?|mailto):$/.test(protocol) && !named ? url : null
  } catch {
    return null
  }
}

/**
 * Makes links what can be asked for and never goes by itself: no `href` stays, so neither a middle click nor a drag nor
 * the keyboard leaves the page. Links to elsewhere in the document, or of other schemes, become plain text.
 */
export function tameLinks(fragment: DocumentFragment): void {
  for (const link of fragment.querySelectorAll('a')) {
    const url = linkAddress(link.getAttribute('href') ?? '')
    link.removeAttribute('href')
    if (url === null) continue
    link.className = 'md-link'
    link.setAttribute('role', 'link')
    link.tabIndex = 0
    link.dataset['url'] = url
    link.title = url
  }
}

/** The address of the link an event of a drawn block is about; null when it is about none. */
export function linkOf(event: Event): string | null {
  const link = event.target instanceof Element ? event.target.closest('a.md-link') : null
  return link instanceof HTMLElement ? (link.dataset['url'] ?? null) : null
}

/** The URL of a link that may be opened in the system's browser: http, https and mailto; null for any other. */
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
 * Makes links inert until the user confirms them: no `href` remains, so neither a middle click nor a drag nor
 * the keyboard leaves the page. Links within the document, or with other schemes, become plain text.
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

/** The URL of the link that is the target of an event in a drawn block; null if there is none. */
export function linkOf(event: Event): string | null {
  const link = event.target instanceof Element ? event.target.closest('a.md-link') : null
  return link instanceof HTMLElement ? (link.dataset['url'] ?? null) : null
}

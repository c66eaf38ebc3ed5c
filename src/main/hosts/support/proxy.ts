/**
 * Returns the first usable proxy of a system's response in PAC form (`PROXY host:port; DIRECT`), or null for a direct
 * connection. SOCKS proxies are skipped: the provider client supports only HTTP proxies.
 */
export function proxyFromPac(answer: string): string | null {
  for (const entry of answer.split(';')) {
    const [kind = '', where = ''] = entry.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return null
    if (!/^[^\s/@]+:\d{1,5}$/.test(where)) continue
    if (/^PROXY$|^HTTP$/i.test(kind)) return `http://${where}`
    if (/^HTTPS$/i.test(kind)) return `https://${where}`
  }
  return null
}

/**
 * Returns the proxy that the environment sets for a URL (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`), or null.
 */
export function proxyFromEnvironment(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const { protocol, hostname, port } = new URL(url)
  const value = (name: string): string => env[name.toLowerCase()] || env[name] || ''
  if (bypassed(hostname, port, value('NO_PROXY'))) return null
  const proxy = value(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || value('ALL_PROXY')
  if (proxy === '') return null
  const spelled = proxy.includes('://') ? proxy : `http://${proxy}`
  return /^https?:\/\//i.test(spelled) && URL.canParse(spelled) ? spelled : null
}

/**
 * Applies `NO_PROXY`: a list of hosts, including subdomains, optionally with a port; `*` for all. Loopback hosts are never
 * proxied.
 */
function bypassed(hostname: string, port: string, list: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')) return true
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      const [, name = entry, onPort] = /^(.*?):(\d+)$/.exec(entry) ?? []
      if (onPort !== undefined && onPort !== port) return false
      const domain = name.replace(/^\*?\.?/, '').toLowerCase()
      return domain !== '' && (hostname === domain || hostname.endsWith(`.${domain}`))
    })
}

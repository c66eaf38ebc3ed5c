import { policyHeader, type Policy } from './csp.ts'

/**
 * Headers of every response to a page, whatever its content: no MIME sniffing, no DNS prefetch, no referrer, a separate
 * browsing context group, and no feature that Lectern does not use. Microphone, display capture and screen wake lock are
 * allowed for the app's own origin only.
 */
export const baseHeaders = {
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': [
    'microphone=(self)',
    'display-capture=(self)',
    'camera=()',
    'geolocation=()',
    'usb=()',
    'serial=()',
    'hid=()',
    'midi=()',
    'payment=()',
    'publickey-credentials-get=()',
    'screen-wake-lock=(self)',
    'xr-spatial-tracking=()',
  ].join(', '),
} as const

/** {@link baseHeaders} plus the page's policy. */
export function pageHeaders(policy: Policy): Record<string, string> {
  return { 'content-security-policy': policyHeader(policy), ...baseHeaders }
}

/** Returns the same response with every missing base header added; its own headers take precedence. */
export function withBaseHeaders(response: Response, policy: Policy): Response {
  const headers = new Headers(pageHeaders(policy))
  for (const [name, value] of response.headers) headers.set(name, value)
  return new Response(response.body, {
    status: response.status,
    statusText: response.statusText,
    headers,
  })
}

/** A link that may be passed to the system, or the reason why not. */
export type ExternalUrl =
  | {
      readonly ok: true
      /** URL serialized from its parsed parts: the only text that may be passed on. */
      readonly url: string
      readonly scheme: 'https' | 'http' | 'mailto'
      /** Text shown to the user before the link opens: the whole host (in ASCII form) or the mail address. */
      readonly show: string
    }
  | { readonly ok: false; readonly reason: 'not-a-url' | 'scheme' | 'credentials' | 'too-long' }

const schemes: Readonly<Record<string, 'https' | 'http' | 'mailto'>> = {
  'https:': 'https',
  'http:': 'http',
  'mailto:': 'mailto',
}

/** Maximum length of a link that is passed on; operating systems truncate longer ones at different lengths. */
const externalUrlLength = 2048

/**
 * The only check for links: allows https, http and mailto only, no credentials, no control characters, parsed and
 * serialized again. Characters that a system's opener could interpret differently (quotes, blanks) are percent-encoded
 * by the parser.
 */
export function checkExternalUrl(text: string): ExternalUrl {
  if (text.length > externalUrlLength) return { ok: false, reason: 'too-long' }
  // The parser drops tabs and newlines silently: `java\nscript:` would become a different link from the one shown.
  if (hasControlCharacter(text) || !URL.canParse(text)) return { ok: false, reason: 'not-a-url' }
  const url = new URL(text)
  const scheme = Object.hasOwn(schemes, url.protocol) ? schemes[url.protocol] : undefined
  if (!scheme) return { ok: false, reason: 'scheme' }
  if (url.username !== '' || url.password !== '') return { ok: false, reason: 'credentials' }
  if (scheme === 'mailto') return mailto(url)
  if (url.hostname === '') return { ok: false, reason: 'not-a-url' }
  const href = url.href.replaceAll("'", '%27')
  if (href.length > externalUrlLength) return { ok: false, reason: 'too-long' }
  return { ok: true, url: href, scheme, show: url.host }
}

/**
 * A mail link keeps its address, subject and body; other fields (attachments in some mailers) are dropped. Removes everything
 * that a mailer could read as another header line: no escapes in the address, a one-line subject, bare LF in the body.
 */
function mailto(url: URL): ExternalUrl {
  const address = url.pathname
  if (!/^[\w.!#$&*+/=?^`{|}~-]+@[\w.-]+$/.test(address)) return { ok: false, reason: 'not-a-url' }
  const fields = Object.entries(mailFields).flatMap(([name, clean]) => {
    const value = url.searchParams.get(name)
    if (value === null) return []
    return [`${name}=${encodeURIComponent(clean(value)).replaceAll("'", '%27')}`]
  })
  const href = `mailto:${address}${fields.length > 0 ? `?${fields.join('&')}` : ''}`
  return { ok: true, url: href, scheme: 'mailto', show: address }
}

const mailFields: Readonly<Record<string, (value: string) => string>> = {
  subject: (value) => value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
  body: (value) => value.replace(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}]/gu, ''),
}

function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

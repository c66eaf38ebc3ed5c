import type { Clock, Log } from '../../deps.ts'

/** Removes secrets from everything that is logged, stored or shown. */
export interface Redactor {
  /** Registers a secret for as long as the app runs. Ignores secrets under 8 characters: masking them would mask ordinary words. */
  register(secret: string): void
  /**
   * Returns the text with every known secret, bearer value and key-shaped word replaced by {@link mask}. Of a text longer
   * than {@link maxTextLength} only the beginning is read and returned, with `…` at its end: providers control the length
   * of their texts.
   */
  redact(text: string): string
  /** Masks registered secrets and changes nothing else: for text that must otherwise stay as received. */
  maskKnown(text: string): string
  /** Number of characters at the end of a text that may be the beginning of a registered secret, depending on what follows. */
  openEnd(text: string): number
  /** Returns log fields as plain data: redacted, without cycles, bounded in depth and length. Never throws. */
  fields(value: unknown): unknown
}

/** Replacement for a secret. */
export const mask = '[redacted]'

const shortestSecret = 8
const deepest = 6
const maxListLength = 100

/** Maximum number of characters of a redacted text; enough for a log line or a failure. */
export const maxTextLength = 4096
/** Minimum number of characters read beyond the limit and dropped, so that no partial secret remains at the edge. */
const shortestEdge = 256

/** Words that occur only in sentences: `password: remove the protection first` contains no password. */
const inSentences =
  'an?|and|by|can|for|from|in|into|it|its|no|nobody|not|of|on|or|that|the|this|to|with|you|your'
/** Text after a name when it is the rest of a sentence. */
const sentence = `(?:[a-z]{1,20} )?(?:${inSentences})(?=[.,;:!?)]?(?:\\s|$))`

/**
 * Patterns of credentials that are masked without being registered: bearer values, the provider's two-part keys, JSON web tokens.
 * Each looks ahead a bounded distance or to its own next beginning, so that the cost of a text full of beginnings stays linear in
 * its length.
 */
const shapes: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      `\\b(bearer)(\\s+|%20|\\+)(?!(?:tokens?|keys?|auth|authentication|authorization|${inSentences})(?=[.,;:!?)]?(?:\\s|$)))[^\\s"'\\\\,;<>]+`,
      'gi',
    ),
    `$1$2${mask}`,
  ],
  [/\b([Bb]asic)(\s+|%20|\+)(?=[a-z+/]{0,256}[A-Z0-9=])[A-Za-z0-9+/]{8,}={0,2}/g, `$1$2${mask}`],
  [/\b[0-9a-f]{32}\.[A-Za-z0-9]{16}\b/g, mask],
  [/\beyJ(?:(?!-eyJ)[\w-]){8,}\.[\w-]{8,}(?:\.[\w-]+)+/g, mask],
  // Keys of other providers: `sk-` and a word with a digit, which no natural-language word contains.
  [/(?<![A-Za-z0-9_-])[sr]k-(?=[A-Za-z_-]{0,128}\d)[\w-]{16,}/g, mask],
  // A header with any scheme; the value is one word, or ends at its closing quote.
  [
    /(?<![A-Za-z0-9])(authorization"\s{0,8}:\s{0,8}"(?:[A-Za-z-]{1,32} )?)(?:[^"\\]|\\.)+/gi,
    `$1${mask}`,
  ],
  [
    new RegExp(
      `(?<![A-Za-z0-9])(authorization\\s{0,8}[:=]\\s{0,8}(?:(?:token|apikey|api-key|key|digest|negotiate|oauth|aws4-hmac-sha256) )?)(?!(?:bearer|basic)(?:\\s|%20|\\+)|${sentence}|\\[redacted\\])[^\\s"'\\\\,;<>]+`,
      'gi',
    ),
    `$1${mask}`,
  ],
  // Signature parameters of a URL, for any cloud storage; also where the URL is itself a parameter.
  [
    /((?:[?&]|%3F|%26)(?:(?:x-(?:amz|goog|oss|cos)-|q-)?(?:signature|credential|security-token)|sig|token|access_token|(?:aws|oss)?accesskeyid|googleaccessid)(?:=|%3D))(?:(?!%26|%23)[^\s"'&,;<>#])+/gi,
    `$1${mask}`,
  ],
  // A quoted value ends at its closing quote: passwords may contain spaces.
  [
    /(?<![A-Za-z0-9])(api[_-]?key|access[_-]?token|token|secret|password)("\s{0,8}:\s{0,8}")(?:[^"\\]|\\.)+/gi,
    `$1$2${mask}`,
  ],
  // Proxy URLs contain their password.
  [/(:\/\/[^\s/:@"'<>]{0,256}:)[^\s/@"'<>]{1,256}(?=@)/g, `$1${mask}`],
  [
    new RegExp(
      `(?<![A-Za-z0-9])(api[_-]?key|lectern_key|access[_-]?token|token|secret|password)(?!: ${sentence})(["']?\\s*[=:]\\s*["']?)[^\\s"'&,;<>]+`,
      'gi',
    ),
    `$1$2${mask}`,
  ],
]

/** Names of fields whose value is always masked. */
const secretNames =
  /^(authorization|proxy-?authorization|cookie|set-?cookie|(api|bearer|secret|private)?[_-]?key|(access|refresh|launch|id)?[_-]?token|secret|.*(password|passphrase|api[_-]?key)|credentials?)$/i

/** Creates a redactor without any registered secret. */
export function createRedactor(): Redactor {
  const spellings = new Set<string>()
  const secrets = new Set<string>()
  const escaped: string[] = []
  let known: RegExp | undefined
  let edge = shortestEdge

  const maskKnown = (text: string): string => (known ? text.replace(known, mask) : text)
  const masked = (text: string): string => {
    let safe = maskKnown(text)
    for (const [shape, replacement] of shapes) safe = safe.replace(shape, replacement)
    return safe
  }
  const redact = (text: string): string => {
    if (text.length <= maxTextLength) return masked(text)
    // A secret cut in two is among the last characters and was not masked, so they are dropped.
    const safe = masked(text.slice(0, maxTextLength + edge))
    return `${safe.slice(0, Math.min(maxTextLength, Math.max(0, safe.length - edge)))}…`
  }

  return {
    register(secret) {
      if (secret.length < shortestSecret || spellings.has(secret)) return
      secrets.add(secret.toLowerCase())
      escaped.push(escapedPattern(secret))
      edge = Math.max(edge, secret.length * maxEscapeLength)
      for (const spelling of spellingsOf(secret)) {
        spellings.add(spelling)
        edge = Math.max(edge, spelling.length)
      }
      // Longest first: an escaped spelling may contain the plain one.
      const alternatives = [...spellings].toSorted((a, b) => b.length - a.length).map(escapePattern)
      known = new RegExp([...alternatives, ...escaped].join('|'), 'gi')
    },
    redact,
    maskKnown,
    openEnd(text) {
      let longest = 0
      for (const secret of secrets) {
        const end = text.slice(-(secret.length - 1)).toLowerCase()
        for (let length = end.length; length > longest; length -= 1)
          if (secret.startsWith(end.slice(-length))) longest = length
      }
      return longest
    },
    fields: (value) => plain(value, redact, 0, new Set()),
  }
}

/** The app's log: one JSON line per entry (`at`, `level`, `message`, fields), redacted before `write` sees it. */
export function createLog(parts: {
  write(line: string): void
  redactor: Redactor
  clock: Clock
}): Log {
  const entry =
    (level: string) =>
    (message: string, fields?: Readonly<Record<string, unknown>>): void => {
      const line = {
        at: new Date(parts.clock()).toISOString(),
        level,
        message: parts.redactor.redact(message),
        ...(fields && { fields: parts.redactor.fields(fields) }),
      }
      parts.write(JSON.stringify(line))
    }
  return { info: entry('info'), warn: entry('warn'), error: entry('error') }
}

/** Yields the spellings of a secret after the encodings it may pass through on its way into a message. */
function spellingsOf(secret: string): Iterable<string> {
  const bytes = Buffer.from(secret, 'utf8')
  const json = JSON.stringify(secret).slice(1, -1)
  const found = new Set([
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    new URLSearchParams({ k: secret }).toString().slice(2),
    bytes.toString('hex'),
  ])
  for (const middle of base64Middles(bytes)) {
    found.add(middle)
    found.add(middle.replaceAll('+', '-').replaceAll('/', '_'))
    found.add(encodeURIComponent(middle))
  }
  return found
}

/** Base64 of the bytes at each of the three alignments, trimmed to the characters that adjacent bytes cannot change. */
function* base64Middles(bytes: Buffer): Iterable<string> {
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const start = Math.ceil((before * 4) / 3)
    const wholeCharacters = Math.floor(((before + bytes.length) * 8) / 6)
    yield text.slice(start, wholeCharacters)
  }
}

/** Maximum length of one escaped character: each level of JSON inside JSON doubles the backslashes. */
const maxEscapeLength = 13

/**
 * Pattern of the secret as JSON may write it, each character in any spelling (`s`, `\u0073`, `\/`), also as JSON inside JSON
 * text. All alternatives begin differently, so that the cost of a text full of beginnings stays linear in its length.
 */
function escapedPattern(secret: string): string {
  return Array.from({ length: secret.length }, (_, at) => {
    const unit = secret.charAt(at)
    const code = secret.charCodeAt(at).toString(16).padStart(4, '0')
    const after = /["\\/]/.test(unit) ? `(?:u${code}|${escapePattern(unit)})` : `u${code}`
    // A run of backslashes is matched from its start only.
    const start = at === 0 ? '(?<!\\\\)' : ''
    return `(?:${unit === '\\' ? '' : `${escapePattern(unit)}|`}${start}\\\\{1,8}${after})`
  }).join('')
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

/** Converts a value to plain JSON data with redacted texts; `above` contains the ancestor objects, to stop at cycles. */
function plain(
  value: unknown,
  redact: (text: string) => string,
  depth: number,
  above: Set<object>,
): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value === 'bigint' || typeof value === 'symbol') return redact(String(value))
  if (typeof value === 'function') return '[function]'
  if (typeof value !== 'object' || value === null) return value
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
  if (above.has(value)) return '[circular]'
  if (depth >= deepest) return '[deep]'
  above.add(value)
  try {
    return plainObject(value, (inner) => plain(inner, redact, depth + 1, above), redact)
  } catch {
    return '[unreadable]'
  } finally {
    above.delete(value)
  }
}

function plainObject(
  value: object,
  inner: (value: unknown) => unknown,
  redact: (text: string) => string,
): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof URL) return redact(value.href)
  if (value instanceof Set || Array.isArray(value))
    return [...value].slice(0, maxListLength).map(inner)
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  const named: [string, unknown][] = entries
    .slice(0, maxListLength)
    .map(([name, field]) => [String(name), field])
  // The message of an Error is not enumerable.
  if (value instanceof Error)
    named.unshift(
      ['name', value.name],
      ['message', value.message],
      ['stack', value.stack],
      ['cause', value.cause],
    )
  return Object.fromEntries(
    named
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => [
        redact(name),
        secretNames.test(name) && field !== null ? mask : inner(field),
      ]),
  )
}

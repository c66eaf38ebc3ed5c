import type { Clock, Log } from '../deps.ts'

/** Takes secrets out of whatever is written down or shown. */
export interface Redactor {
  /** Remembers a secret for as long as the app runs. Shorter than 8 characters is ignored: masking it would eat ordinary words. */
  register(secret: string): void
  /**
   * The text with every known secret, bearer value and key-shaped word replaced by {@link mask}. Of a text longer than
   * {@link maxTextLength} only the beginning is read and returned, with `…` at its end: services decide how much they say.
   */
  redact(text: string): string
  /** The text with registered secrets masked and nothing else touched: for what must otherwise stay as it was received. */
  maskKnown(text: string): string
  /** How many characters at the end of a text may be the beginning of a registered secret; what follows it will tell. */
  openEnd(text: string): number
  /** Log fields as plain data: redacted, without cycles, bounded in depth and length, never throwing. */
  fields(value: unknown): unknown
}

/** What stands where a secret stood. */
export const mask = '[redacted]'

const shortestSecret = 8
const deepest = 6
const maxListLength = 100

/** Characters of a text that is redacted; for a log line or a failure, more says nothing new. */
export const maxTextLength = 4096
/** Characters that are read beyond, and dropped, so that no half of a secret stays at the edge: at least a shape's. */
const shortestEdge = 256

/** Words that only sentences have: `password: remove the protection first` names no password. */
const inSentences =
  'an?|and|by|can|for|from|in|into|it|its|no|nobody|not|of|on|or|that|the|this|to|with|you|your'
/** What follows a name where a sentence goes on. */
const sentence = `(?:[a-z]{1,20} )?(?:${inSentences})(?=[.,;:!?)]?(?:\\s|$))`

/**
 * Words that look like a credential whoever registered them: bearer values, the service's two-part keys, JSON web tokens.
 * Each looks ahead no further than a bounded way or to its own next beginning, so that a text made of beginnings costs
 * no more than its length.
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
  // Keys of other providers: `sk-` and a word with a digit, as no word of a language has.
  [/(?<![A-Za-z0-9_-])[sr]k-(?=[A-Za-z_-]{0,128}\d)[\w-]{16,}/g, mask],
  // A header with any scheme; what follows is one word, or ends with its quotes.
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
  // What signs an address, whichever cloud keeps the file; also where the address is itself a parameter.
  [
    /((?:[?&]|%3F|%26)(?:(?:x-(?:amz|goog|oss|cos)-|q-)?(?:signature|credential|security-token)|sig|token|access_token|(?:aws|oss)?accesskeyid|googleaccessid)(?:=|%3D))(?:(?!%26|%23)[^\s"'&,;<>#])+/gi,
    `$1${mask}`,
  ],
  // In quotes a value ends where they end: passwords have spaces.
  [
    /(?<![A-Za-z0-9])(api[_-]?key|access[_-]?token|token|secret|password)("\s{0,8}:\s{0,8}")(?:[^"\\]|\\.)+/gi,
    `$1$2${mask}`,
  ],
  // Proxies have their password in their address.
  [/(:\/\/[^\s/:@"'<>]{0,256}:)[^\s/@"'<>]{1,256}(?=@)/g, `$1${mask}`],
  [
    new RegExp(
      `(?<![A-Za-z0-9])(api[_-]?key|lectern_key|access[_-]?token|token|secret|password)(?!: ${sentence})(["']?\\s*[=:]\\s*["']?)[^\\s"'&,;<>]+`,
      'gi',
    ),
    `$1$2${mask}`,
  ],
]

/** Field names whose value is masked whatever it is. */
const secretNames =
  /^(authorization|proxy-?authorization|cookie|set-?cookie|(api|bearer|secret|private)?[_-]?key|(access|refresh|launch|id)?[_-]?token|secret|.*(password|passphrase|api[_-]?key)|credentials?)$/i

/** Makes a redactor that knows no secret yet. */
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
    // What was cut in two is among the last characters and was not masked, so it goes with them.
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
      // Longest first: an escaped spelling may hold the plain one.
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

/** How a secret looks after the encodings it may go through on its way into a message. */
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

/** Base64 of the bytes at each of the three alignments, cut to the characters that neighbours cannot change. */
function* base64Middles(bytes: Buffer): Iterable<string> {
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const start = Math.ceil((before * 4) / 3)
    const wholeCharacters = Math.floor(((before + bytes.length) * 8) / 6)
    yield text.slice(start, wholeCharacters)
  }
}

/** Characters of one escaped character at most: each JSON text inside another doubles the backslashes. */
const maxEscapeLength = 13

/**
 * The secret as JSON may write it, each character in a spelling of its own (`s`, `\u0073`, `\/`), also as JSON inside JSON
 * text. Every alternative begins differently from the others, so that a text made of beginnings costs no more than its length.
 */
function escapedPattern(secret: string): string {
  return Array.from({ length: secret.length }, (_, at) => {
    const unit = secret.charAt(at)
    const code = secret.charCodeAt(at).toString(16).padStart(4, '0')
    const after = /["\\/]/.test(unit) ? `(?:u${code}|${escapePattern(unit)})` : `u${code}`
    // A run of backslashes is tried from its start alone.
    const start = at === 0 ? '(?<!\\\\)' : ''
    return `(?:${unit === '\\' ? '' : `${escapePattern(unit)}|`}${start}\\\\{1,8}${after})`
  }).join('')
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

/** A value as plain JSON data with its texts redacted; `above` holds the objects on the way down, to stop at cycles. */
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
  // An Error's own words are not enumerable.
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

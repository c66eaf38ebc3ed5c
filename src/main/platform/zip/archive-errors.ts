/** Reason an archive is rejected; the page has a message for each one (`archiveReasons`). */
type ArchiveReason =
  // the file is incomplete
  | 'truncated'
  | 'sum'
  | 'damaged'
  // not a Lectern archive, or repacked
  | 'foreign'
  | 'packed'
  | 'encrypted'
  // dangerous content
  | 'path'
  | 'twice'
  | 'case'
  | 'link'
  | 'overlap'
  | 'bomb'
  | 'manifest'
  | 'database'
  // too new, or older than any supported version
  | 'newer'
  | 'unknown'

/** Error for a rejected archive, with the invalid entry; nothing was changed. */
export class ArchiveRefused extends Error {
  readonly reason: ArchiveReason
  /** Name of the entry, sanitized for display, or empty. */
  readonly entry: string

  constructor(reason: ArchiveReason, entry = '', cause?: unknown) {
    super(`The archive was rejected: ${reason} ${shown(entry)}`.trim(), { cause })
    this.name = 'ArchiveRefused'
    this.reason = reason
    this.entry = shown(entry)
  }
}

/** Sanitizes a name from an untrusted file: no control or direction characters, and no longer than a line. */
function shown(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu, '?')
  return clean.length > 120 ? `${clean.slice(0, 117)}...` : clean
}

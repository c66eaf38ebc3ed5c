/** Why an archive is not taken; each has words of its own in the page (`archiveReasons`). */
export type ArchiveReason =
  // the file is not whole
  | 'truncated'
  | 'sum'
  | 'damaged'
  // the file is none of ours, or was packed anew
  | 'foreign'
  | 'packed'
  | 'encrypted'
  // the file is dangerous
  | 'path'
  | 'twice'
  | 'case'
  | 'link'
  | 'overlap'
  | 'bomb'
  | 'manifest'
  | 'database'
  // the file is too new, or older than anything that can be read
  | 'newer'
  | 'unknown'

/** An archive that is refused, with the entry that is at fault; nothing was changed. */
export class ArchiveRefused extends Error {
  readonly reason: ArchiveReason
  /** The entry's name made harmless for showing, or empty. */
  readonly entry: string

  constructor(reason: ArchiveReason, entry = '', cause?: unknown) {
    super(`The archive is refused: ${reason} ${shown(entry)}`.trim(), { cause })
    this.name = 'ArchiveRefused'
    this.reason = reason
    this.entry = shown(entry)
  }
}

/** A name from a stranger's file: no control or direction characters, and not longer than a line. */
function shown(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu, '?')
  return clean.length > 120 ? `${clean.slice(0, 117)}...` : clean
}

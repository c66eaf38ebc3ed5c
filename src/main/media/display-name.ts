/** UTF-16 units a name may have; file systems end at about as many. */
const longest = 200

/**
 * A dropped file's name made safe to show and to offer for saving: no folders, no control or invisible characters, nothing that
 * turns the reading direction round (`gnp.exe`), no lone surrogates, not too long; its ending is kept. Never used as a path.
 */
export function displayName(name: string): string {
  const base = name.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const clean = base
    // Cf holds the direction overrides; a zero-width joiner inside an emoji is a small loss beside them.
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\ufffd]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s.]+|[\s.]+$/gu, '')
  if (clean === '') return 'file'
  if (clean.length <= longest) return clean
  const ending = /\.[^.\s]{1,10}$/u.exec(clean)?.[0] ?? ''
  return (
    clean
      .slice(0, longest - ending.length)
      .toWellFormed()
      .replace(/\ufffd$/u, '') + ending
  )
}

/** The `Content-Disposition` of a file (RFC 6266): an ASCII name, and the full one in RFC 8187's form. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%;]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

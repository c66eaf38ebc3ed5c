/** UTF-16 units a name may have; file systems end at about as many. */
const maxLength = 200

/** Windows takes these for devices in every folder, in any case, whatever follows the first dot, and with spaces before it. */
const device =
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])(?= *(?:\.|$))/i

/** Whether Windows takes a file name for a device and makes no file of it. */
export const isDeviceName = (name: string): boolean => device.test(name)

/** The name where it is none of a device, else with an underscore: `con.txt` becomes `con_.txt`. */
export const notDeviceName = (name: string): string => name.replace(device, '$&_')

/**
 * A dropped file's name made safe to show and to offer for saving: no folders, no control or invisible characters, nothing that
 * turns the reading direction round (`gnp.exe`), no lone surrogates, nothing that Windows refuses, not too long; its ending is kept.
 * Never used as a path.
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
  if (clean.length <= maxLength) return notDeviceName(clean)
  const ending = /\.[^.\s]{1,10}$/u.exec(clean)?.[0] ?? ''
  const stem = clean.slice(0, maxLength - ending.length).toWellFormed()
  return notDeviceName(stem.replace(/[\ufffd\s.]+$/u, '') + ending)
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

/** Maximum length of a name in UTF-16 units, close to the limit of file systems. */
const maxLength = 200

/**
 * Names that Windows reserves for devices in every folder, in any case, whatever follows the first dot, and with spaces
 * before it.
 */
const device =
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])(?= *(?:\.|$))/i

/** Whether Windows treats a file name as a device. */
export const isDeviceName = (name: string): boolean => device.test(name)

/** Returns the name, with an underscore added if it is a device: `con.txt` becomes `con_.txt`. */
export const notDeviceName = (name: string): string => name.replace(device, '$&_')

/**
 * Makes a dropped file's name safe to show and to suggest for saving: no folders, no control or invisible characters, nothing
 * that reverses the text direction (`gnp.exe`), no lone surrogates, nothing that Windows refuses, not too long; its extension
 * is preserved. Never used as a path.
 */
export function displayName(name: string): string {
  const base = name.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const clean = base
    // Cf includes the direction overrides; losing a zero-width joiner inside an emoji is acceptable.
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

/**
 * Returns the `Content-Disposition` of a file (RFC 6266): an ASCII name, and the full one in the format of RFC 8187.
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%;]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** The title as a file name that is valid on every system. */
export function fileName(title: string, extension: string): string {
  const plain = title
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const name = Array.from(plain)
    .slice(0, 80)
    .join('')
    .replace(/[. ]+$/, '')
  return `${name === '' ? 'meeting' : notDeviceName(name)}.${extension}`
}

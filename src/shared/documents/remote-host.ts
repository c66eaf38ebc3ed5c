/** Available on both sides, but this folder has the types of neither. */
declare const URL: {
  parse(text: string): {
    readonly host: string
    readonly username: string
    readonly password: string
  } | null
}

/** Maximum length of a URL: signed ones are long. */
const maxLength = 4096

/**
 * Returns the host (and port) of an http or https URL without credentials that leads to another computer; null for any
 * other.
 */
export function remoteHost(address: string): string | null {
  if (!/^https?:\/\//iu.test(address) || address.length > maxLength) return null
  const url = URL.parse(address)
  return url !== null && url.username === '' && url.password === '' ? url.host : null
}

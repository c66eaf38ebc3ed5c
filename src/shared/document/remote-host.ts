/** Both sides have it; this folder knows neither side's types. */
declare const URL: {
  parse(text: string): {
    readonly host: string
    readonly username: string
    readonly password: string
  } | null
}

/** Longest address that is looked at: signed ones are long. */
const maxLength = 4096

/** The host (and port) of an address that leads to another computer by the web's own schemes, without a password in it; null for any other. */
export function remoteHost(address: string): string | null {
  if (!/^https?:\/\//iu.test(address) || address.length > maxLength) return null
  const url = URL.parse(address)
  return url !== null && url.username === '' && url.password === '' ? url.host : null
}

/** Scheme of the Electron host's pages. */
export const appScheme = 'app'
/** The one origin that may talk to main in the Electron host. */
export const appOrigin = 'app://bundle'
/** The one document of the app. Views are told by the hash. */
export const appPage = `${appOrigin}/`
/** The small window's place in it. */
export const quickPage = `${appPage}#/quick`
/** The page that is being printed, in a session of its own. */
export const printPage = `${appScheme}://print/`
/** Media live on a host of their own, so that a hostile file that was opened by itself is not on the page's origin. */
export const mediaOrigin = 'app://media'
/** Shown when the page broke twice in a row; has no script. */
export const errorPagePath = '/broken'

/**
 * `scheme://host[:port]` of a URL, or null when it is none. Written out because the URL class says `null` for the
 * origin of schemes it does not know.
 */
export function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, host } = new URL(url)
  return host === '' ? null : `${protocol}//${host}`
}

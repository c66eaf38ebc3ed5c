/** Scheme of the Electron host's pages. */
export const appScheme = 'app'
/** The only origin that may send messages to main in the Electron host. */
export const appOrigin = 'app://bundle'
/** The app's only document. The hash selects the view. */
export const appPage = `${appOrigin}/`
/** URL of the quick window within the document. */
export const quickPage = `${appPage}#/quick`
/** The page that is being printed, in a separate session. */
export const printPage = `${appScheme}://print/`
/** Media have a separate host, so that a hostile file opened directly does not share the page's origin. */
export const mediaOrigin = 'app://media'
/** Path of the page shown after two consecutive page crashes; it has no script. */
export const errorPagePath = '/broken'

/**
 * Returns `scheme://host[:port]` of a URL, or null when the text is not a URL. Implemented by hand because the URL class
 * returns `null` as the origin of schemes it does not know.
 */
export function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, host } = new URL(url)
  return host === '' ? null : `${protocol}//${host}`
}

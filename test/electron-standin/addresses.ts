/**
 * Chromium cannot learn a scheme from outside, so `app://host` is `http://host.localhost` in the page's world: a secure context,
 * with a site of its own for each host. Everything that passes between the app and Chromium is translated here.
 */
const inPage = 'localhost'

/** An address of the app's as the page's Chromium knows it; others unchanged. */
export function toPage(url: string): string {
  return url.replace(/^(blob:)?app:\/\/([\w-]+)/, `$1http://$2.${inPage}`)
}

/** An address of Chromium's as the app knows it; others unchanged. */
export function fromPage(url: string): string {
  return url.replace(/^(blob:)?http:\/\/([\w-]+)\.localhost(?=[/?#]|$)/, '$1app://$2')
}

/** Every address of the app's in a text: a policy, a header, a document. */
export function textToPage(text: string): string {
  return text.replaceAll(/app:\/\/([\w-]+)/g, `http://$1.${inPage}`)
}

/**
 * Chromium cannot register a scheme from outside, so `app://host` is `http://host.localhost` in the page: a secure context,
 * with a separate site for each host. Everything that passes between the app and Chromium is translated here.
 */
const inPage = 'localhost'

/** Translates a URL of the app for the page's Chromium; others are unchanged. */
export function toPage(url: string): string {
  return url.replace(/^(blob:)?app:\/\/([\w-]+)/, `$1http://$2.${inPage}`)
}

/** Translates a URL of Chromium for the app; others are unchanged. */
export function fromPage(url: string): string {
  return url.replace(/^(blob:)?http:\/\/([\w-]+)\.localhost(?=[/?#]|$)/, '$1app://$2')
}

/** Translates every URL of the app in a text: a policy, a header, a document. */
export function textToPage(text: string): string {
  return text.replaceAll(/app:\/\/([\w-]+)/g, `http://$1.${inPage}`)
}

import { policyHeader, messageOnlyPolicy } from '../../platform/security/csp.ts'
import { baseHeaders } from '../../platform/security/headers.ts'

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem;color-scheme:light dark}h1{font-size:1.25rem}button{font:inherit;padding:.4rem 1rem;margin-inline-end:.5rem}'

/** Escapes text for HTML, also within quoted attributes. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Returns a page of text without script, for refused requests and for questions. */
export function messagePage(title: string, sentences: readonly string[], language = 'en'): string {
  const paragraphs = sentences.map((sentence) => `<p>${sentence}</p>`).join('')
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title}</title><style>${style}</style><h1>${title}</h1>${paragraphs}</html>`
}

/** Headers of message pages. */
export const messageHeaders: Readonly<Record<string, string>> = {
  ...baseHeaders,
  'content-security-policy': policyHeader(messageOnlyPolicy),
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
}

/**
 * Page shown briefly between the launch URL and the app; the link is for browsers that do not continue automatically.
 */
export const entryPage = (key: string): string =>
  messagePage('Lectern', [`<a href="/#k=${key}">Open Lectern · 打开 Lectern</a>`])

/** Message pages by refusal status. */
export const refusals: Readonly<Record<number, string>> = {
  400: messagePage('Lectern couldn’t read this request', []),
  401: messagePage('This tab isn’t signed in to Lectern', [
    'Open the URL that Lectern printed when it started. Each URL works once, within 5 minutes, and only on this computer.',
    'To get a new URL, start Lectern again.',
    '此标签页尚未登录 Lectern。请打开 Lectern 启动时显示的网址：每个网址仅限本机使用，5 分钟内有效，且只能使用一次。再次启动 Lectern 可获取新网址。',
  ]),
  403: messagePage('Lectern doesn’t accept requests from other sites', [
    'If you followed a link, paste the URL into the address bar instead.',
  ]),
  404: messagePage('Page not found', []),
  405: messagePage('Lectern doesn’t support this request', []),
  421: messagePage('This URL isn’t valid', [
    'Lectern uses a new URL each time it starts. To get the current one, start Lectern again.',
    '此网址无效。Lectern 每次启动都会使用新网址。再次启动 Lectern 可获取当前网址。',
  ]),
  500: messagePage('Something went wrong in Lectern', ['Reload the page. Nothing was lost.']),
}

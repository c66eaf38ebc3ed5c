import { policyHeader, wordsOnlyPolicy } from '../security/csp.ts'
import { baseHeaders } from '../security/headers.ts'

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem;color-scheme:light dark}h1{font-size:1.25rem}'

/** A page of words, without script: for who may not come in. */
export function wordsPage(title: string, sentences: readonly string[]): string {
  const paragraphs = sentences.map((sentence) => `<p>${sentence}</p>`).join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title}</title><style>${style}</style><h1>${title}</h1>${paragraphs}</html>`
}

/** Headers of such a page. */
export const wordsHeaders: Readonly<Record<string, string>> = {
  ...baseHeaders,
  'content-security-policy': policyHeader(wordsOnlyPolicy),
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
}

/** Shown for the moment between the launch address and the page; the link is for browsers that do not go on by themselves. */
export const entryPage = (key: string): string =>
  wordsPage('Lectern', [`<a href="/#k=${key}">Open Lectern · 打开 Lectern</a>`])

/** What each refusal says. */
export const refusals: Readonly<Record<number, string>> = {
  400: wordsPage('Lectern did not understand this request', []),
  401: wordsPage('Lectern is running, and this tab is not signed in to it', [
    'Open the address that Lectern printed when it started. Each address works once, for five minutes, and only on this computer.',
    'To get a new one, start Lectern again: it notices that it is running and gives another address.',
    'Lectern 正在运行，但此标签页尚未登录。请打开 Lectern 启动时显示的地址；再次启动 Lectern 可获得新地址。',
  ]),
  403: wordsPage('Lectern refuses requests from other pages', [
    'If you followed a link to come here, copy the address into the address bar instead.',
  ]),
  404: wordsPage('There is nothing here', []),
  405: wordsPage('Lectern does not do this', []),
  421: wordsPage('Lectern answers at 127.0.0.1 only', []),
  500: wordsPage('Something went wrong in Lectern', ['Reload the page. Nothing was lost.']),
}

import { mediaOrigin } from './origins.ts'

/** Where the page runs: decides which addresses count as our own. */
export type PageHost = 'electron' | 'loopback'

/** A Content-Security-Policy as data: directive name to its sources. */
export type Policy = Readonly<Record<string, readonly string[]>>

const none = ["'none'"] as const

/**
 * The page's policy: nothing but what Lectern itself serves, no remote host anywhere. `'self'` covers the loopback
 * host's WebSocket too. `'unsafe-inline'` for styles is what naive-ui needs; with pictures and fonts closed, injected
 * styles have nowhere to send data. `blob:` for sound is what the waveform player needs.
 */
export function contentPolicy(host: PageHost): Policy {
  const media = host === 'electron' ? [mediaOrigin] : []
  return {
    'default-src': none,
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...media],
    'media-src': ["'self'", 'blob:', ...media],
    'connect-src': ["'self'", ...media],
    'worker-src': ["'self'"],
    'font-src': ["'self'"],
    'object-src': none,
    'frame-src': none,
    'frame-ancestors': none,
    'base-uri': none,
    'form-action': none,
  }
}

/**
 * The policy of the one worker that may compile WebAssembly: it reads PDFs with decoders that Lectern ships. A worker goes by
 * the policy of its own answer, so the page gains nothing by it. It reaches the folder of pdf.js's files and nothing else: what
 * it reads of a document is handed to it by the page.
 */
export function pdfWorkerPolicy(origin: string): Policy {
  return {
    'default-src': none,
    'script-src': [`${origin}/pdfjs/wasm/`, "'wasm-unsafe-eval'"],
    'connect-src': [`${origin}/pdfjs/`],
  }
}

/** Path of the worker that {@link pdfWorkerPolicy} is for, as it is built. */
const pdfWorker = /^\/assets\/pdf\.worker-[\w-]{8}\.js$/

/** The policy that a built file is served with, by its path; `origin` is that of the page. */
export function policyOf(path: string, origin: string, page: Policy): Policy {
  return pdfWorker.test(path) ? pdfWorkerPolicy(origin) : page
}

/** A policy with nothing in it: for pages that are words only. */
export const messageOnlyPolicy: Policy = {
  'default-src': none,
  'style-src': ["'unsafe-inline'"],
  'frame-ancestors': none,
  'base-uri': none,
  'form-action': none,
}

/** The policy as the value of its header. */
export function policyHeader(policy: Policy): string {
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ')
}

/** The policy as a `<meta>` element would carry it: browsers refuse `frame-ancestors` there. */
export function policyMeta(policy: Policy): string {
  return policyHeader(
    Object.fromEntries(Object.entries(policy).filter(([name]) => name !== 'frame-ancestors')),
  )
}

import { mediaOrigin } from './origins.ts'

/** Host of the page: determines which URLs count as our own. */
export type PageHost = 'electron' | 'loopback'

/** A Content-Security-Policy as data: directive names with their sources. */
export type Policy = Readonly<Record<string, readonly string[]>>

const none = ["'none'"] as const

/**
 * Returns the page's policy: only what Lectern itself serves, no remote host anywhere. `'self'` also covers the loopback
 * host's WebSocket. naive-ui needs `'unsafe-inline'` for styles; with images and fonts restricted, injected styles have
 * nowhere to send data. The waveform player needs `blob:` for audio.
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
 * Returns the policy of the only worker that may compile WebAssembly: it parses PDFs with decoders bundled with Lectern. A
 * worker uses the policy of its own response, so the page gains nothing. It can access only the folder of pdf.js's files: the
 * page passes it the data of a document.
 */
export function pdfWorkerPolicy(origin: string): Policy {
  return {
    'default-src': none,
    'script-src': [`${origin}/pdfjs/wasm/`, "'wasm-unsafe-eval'"],
    'connect-src': [`${origin}/pdfjs/`],
  }
}

/** Path of the built worker that uses {@link pdfWorkerPolicy}. */
const pdfWorker = /^\/assets\/pdf\.worker-[\w-]{8}\.js$/

/** Returns the policy of a built file, by its path; `origin` is that of the page. */
export function policyOf(path: string, origin: string, page: Policy): Policy {
  return pdfWorker.test(path) ? pdfWorkerPolicy(origin) : page
}

/** An empty policy, for pages of plain text. */
export const messageOnlyPolicy: Policy = {
  'default-src': none,
  'style-src': ["'unsafe-inline'"],
  'frame-ancestors': none,
  'base-uri': none,
  'form-action': none,
}

export function policyHeader(policy: Policy): string {
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ')
}

/** Returns the policy for a `<meta>` element, where browsers do not accept `frame-ancestors`. */
export function policyMeta(policy: Policy): string {
  return policyHeader(
    Object.fromEntries(Object.entries(policy).filter(([name]) => name !== 'frame-ancestors')),
  )
}

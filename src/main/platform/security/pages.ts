import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Settings } from '../../../shared/contract/settings.ts'
import { contentPolicy, policyMeta, policyOf, type PageHost, type Policy } from './csp.ts'
import { pageHeaders } from './headers.ts'
import { originOf } from './origins.ts'

/** A built file as it is served. */
interface Page {
  readonly file: string
  readonly type: string
  readonly cache: string
}

/** Files whose names have a content hash (`index-Bx3kQ9_a.js`) never change. */
const hashed = /^\/assets\/.*-[\w-]{8}\.\w+$/

/** Maps the exact served path to each built file of a folder; `index.html` is served as `/` only. */
async function pageMap(rendererDir: string): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map<string, Page>()
  for (const entry of await readdir(rendererDir, { recursive: true, withFileTypes: true })) {
    const type = pageTypes[extname(entry.name).slice(1)]
    if (!entry.isFile() || type === undefined) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(rendererDir, file).split(sep).join('/')}`
    const cache = hashed.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
    pages.set(path === '/index.html' ? '/' : path, { file, type, cache })
  }
  return pages
}

/**
 * Serves the built page: exactly the files that `rendererDir` contained at the start, by exact path, GET and HEAD only.
 * Anything else, however it is spelled, is 404: a path is looked up and never joined to a folder. Every response
 * carries the policy, and the document repeats it because a response served from a cache may lose its headers.
 */
export async function createPages(options: {
  readonly rendererDir: string
  readonly host: PageHost
  /** Appearance settings written to the document's root, so that the first frame is correct before any script runs. */
  readonly appearance?: () => Pick<Settings, 'theme' | 'language'>
}): Promise<(request: Request) => Promise<Response>> {
  const policy = contentPolicy(options.host)
  const pages = await pageMap(options.rendererDir)
  const headers = pageHeaders(policy)
  const words = (status: number, text: string, more: Record<string, string> = {}): Response =>
    new Response(text, {
      status,
      headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', ...more },
    })

  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return words(405, 'Method not allowed', { allow: 'GET, HEAD' })
    const path = exactPath(request.url)
    const page = pages.get(path)
    if (!page) return words(404, 'Not found')
    const content = await readFile(page.file).catch(() => null)
    if (!content) return words(404, 'Not found')
    const body =
      page.type === pageTypes['html'] ? document(content, policy, options.appearance?.()) : content
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), {
      headers: {
        ...pageHeaders(policyOf(path, originOf(request.url) ?? '', policy)),
        'content-type': page.type,
        'content-length': String(body.byteLength),
        'cache-control': page.cache,
      },
    })
  }
}

/** Returns everything after the host, including query and fragment, so that a path with either never matches. */
function exactPath(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(\/.*)?$/i.exec(url)?.[1] ?? '/'
}

/** Inserts the policy at the top of the document, and the chosen theme and language on its root element. */
function document(
  html: Buffer,
  policy: Policy,
  chosen: Pick<Settings, 'theme' | 'language'> | undefined,
): Buffer {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policyMeta(policy)}">`
  const attributes = chosen
    ? ` data-theme="${chosen.theme}" data-language="${chosen.language}"`
    : ''
  return Buffer.from(
    html
      .toString('utf8')
      .replace(/<html(?=[\s>])/i, (root) => root + attributes)
      .replace(/<head[^>]*>/i, (head) => head + meta),
  )
}

/** Exact MIME types of the files of the built page, by extension. A file of another type is not served. */
const pageTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  wasm: 'application/wasm',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  bcmap: 'application/octet-stream',
  pfb: 'application/octet-stream',
  icc: 'application/vnd.iccprofile',
  txt: 'text/plain; charset=utf-8',
}

import { contentPolicy, messageOnlyPolicy } from './csp.ts'
import { withBaseHeaders } from './headers.ts'
import { appOrigin, errorPagePath, mediaOrigin, originOf } from './origins.ts'

const policy = contentPolicy('electron')

/** Page shown after two consecutive crashes of the app's page: text and a link, no script. */
const errorPage = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Lectern</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem}h1{font-size:1.25rem}</style><h1>This window crashed twice</h1><p>Nothing was lost. Background jobs continue.</p><p>窗口连续两次崩溃。没有内容丢失，后台任务会继续。</p><p><a href="${appOrigin}/">Try again · 重试</a></p></html>`

/**
 * Answers a request under `app://`: the page and uploads on the host `bundle`, media by ID on the host `media`, and
 * nothing else. Only the app's own page may upload files.
 */
export async function answerScheme(
  request: Request,
  fetch: (request: Request) => Promise<Response>,
): Promise<Response> {
  const origin = originOf(request.url)
  const requestOrigin = request.headers.get('origin')
  if (requestOrigin !== null && requestOrigin !== appOrigin) return nothing()
  if (origin === mediaOrigin) return media(request, fetch)
  if (origin !== appOrigin) return nothing()
  const path = request.url.slice(appOrigin.length)
  if (path === errorPagePath)
    return withBaseHeaders(
      new Response(errorPage, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
      messageOnlyPolicy,
    )
  // Each medium has exactly one URL, on a separate host.
  if (path.startsWith('/media/')) return nothing()
  return withBaseHeaders(await fetch(request), policy)
}

/** A saved file by its ID, or the audio or peaks of a meeting, the audio optionally up to a frame. */
const mediaName = /^(?:(?:meeting-[\w-]{1,64}(?:\?frames=\d{1,15})?)|(?:(?:peaks-)?[\w-]{1,64}))$/

async function media(
  request: Request,
  fetch: (request: Request) => Promise<Response>,
): Promise<Response> {
  const id = request.url.slice(mediaOrigin.length + 1)
  if (!mediaName.test(id) || !/^(GET|HEAD)$/.test(request.method)) return nothing()
  const { method, headers, signal } = request
  const answer = await fetch(new Request(`${appOrigin}/media/${id}`, { method, headers, signal }))
  const shared = withBaseHeaders(answer, policy)
  // Another host of the scheme is another origin: the page's player must be able to read what it plays.
  shared.headers.set('access-control-allow-origin', appOrigin)
  shared.headers.set(
    'access-control-expose-headers',
    'content-range, content-length, accept-ranges',
  )
  shared.headers.set('cross-origin-resource-policy', 'cross-origin')
  return shared
}

function nothing(): Response {
  const answer = new Response('Not found', {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
  return withBaseHeaders(answer, policy)
}

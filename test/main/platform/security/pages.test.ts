import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPages } from '../../../../src/main/platform/security/pages.ts'

let folder: string
let pages: (request: Request) => Promise<Response>
let theme: 'light' | 'dark' = 'light'
const script = 'index-Bx3kQ9_a.js'
const worker = 'pdf.worker-Cm_3BUrU.js'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-pages-'))
  const built = join(folder, 'renderer')
  await mkdir(join(built, 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret.js'), 'secret')
  await writeFile(
    join(built, 'index.html'),
    '<!doctype html><html lang="en"><head lang="x"><title>x</title>',
  )
  await writeFile(join(built, 'assets', script), 'export {}')
  await writeFile(join(built, 'assets', worker), 'export {}')
  await writeFile(join(built, 'assets', 'not-pdf.worker-Cm_3BUrU.js'), 'export {}')
  await writeFile(join(built, 'assets', 'style-01234567.css'), 'a{}')
  await writeFile(join(built, 'assets', 'plain.wasm'), '\0asm')
  await writeFile(join(built, 'assets', `${script}.map`), 'map')
  await writeFile(join(built, '.env'), 'SECRET=1')
  await symlink(join(folder, 'secret.js'), join(built, 'assets', 'link.js'))
  pages = await createPages({
    rendererDir: built,
    host: 'electron',
    appearance: () => ({ theme, language: 'system' }),
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const get = (url: string, method = 'GET'): Promise<Response> => pages(new Request(url, { method }))

describe.each(['app://bundle', 'http://127.0.0.1:4000'])('at %s', (origin) => {
  test('the document is served only at /, has the policy twice, and is never cached', async () => {
    const reply = await get(`${origin}/`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(reply.headers.get('cache-control')).toBe('no-cache')
    const html = await reply.text()
    const meta =
      /<head lang="x"><meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html)
    expect(meta?.[1]).toContain("script-src 'self'")
    expect(reply.headers.get('content-security-policy')).toContain(meta?.[1]?.split(';')[0])
    expect(Number(reply.headers.get('content-length'))).toBe(Buffer.byteLength(html))
    for (const path of ['/index.html', '/library', '/settings', '//']) {
      expect((await get(origin + path)).status).toBe(404)
    }
  })

  test('the document contains the theme and language chosen at the time of the request', async () => {
    for (theme of ['dark', 'light'] as const) {
      const html = await (await get(`${origin}/`)).text()
      expect(html).toContain(`<html data-theme="${theme}" data-language="system" lang="en">`)
    }
  })

  test('only the PDF worker may compile its decoders and access their folder', async () => {
    const policyOf = async (path: string): Promise<string | null> =>
      (await get(origin + path)).headers.get('content-security-policy')
    expect(await policyOf(`/assets/${worker}`)).toBe(
      `default-src 'none'; script-src ${origin}/pdfjs/wasm/ 'wasm-unsafe-eval'; connect-src ${origin}/pdfjs/`,
    )
    for (const path of ['/', `/assets/${script}`, '/assets/not-pdf.worker-Cm_3BUrU.js', '/none'])
      expect(await policyOf(path)).not.toContain('wasm')
  })

  test('files have their exact type, and those with a hash are cached permanently', async () => {
    const js = await get(`${origin}/assets/${script}`)
    expect(js.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(js.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await get(`${origin}/assets/style-01234567.css`)).headers.get('content-type')).toBe(
      'text/css; charset=utf-8',
    )
    const wasm = await get(`${origin}/assets/plain.wasm`)
    expect(wasm.headers.get('content-type')).toBe('application/wasm')
    expect(wasm.headers.get('cache-control')).toBe('no-cache')
  })

  test.each([
    `/assets/../assets/${script}x`,
    '/../secret.js',
    '/assets/../../secret.js',
    '/..%2fsecret.js',
    '/%2e%2e/secret.js',
    '/assets/..%5c..%5csecret.js',
    '/assets\\..\\..\\secret.js',
    `/assets%2f${script}`,
    `/assets/${script.toUpperCase()}`,
    `/ASSETS/${script}`,
    `/assets/${script}?x`,
    `/assets/${script}?`,
    `/assets/${script}#x`,
    `/assets/${script}/`,
    `/assets/${script}%00.css`,
    `/assets/${script}.map`,
    `//assets/${script}`,
    '/assets/',
    '/assets',
    '/.env',
    '/assets/link.js',
    '/?',
    '/?x=1',
    '/%2f',
    '/constructor',
    '/__proto__',
  ])('%s is 404', async (path) => {
    const request = { url: origin + path, method: 'GET' } as Request
    const reply = await pages(request)
    expect(reply.status).toBe(404)
    expect(await reply.text()).toBe('Not found')
    // The same through the URL class of browsers and hosts, which may normalize it to another path: still nothing leaks.
    expect(await (await get(origin + path)).text()).not.toContain('secret')
  })

  test('allows only reading', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const reply = await get(`${origin}/`, method)
      expect(reply.status).toBe(405)
      expect(reply.headers.get('allow')).toBe('GET, HEAD')
    }
    const head = await get(`${origin}/`, 'HEAD')
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100)
  })

  test('every response has every header of the policy', async () => {
    for (const reply of [
      await get(`${origin}/`),
      await get(`${origin}/assets/${script}`),
      await get(`${origin}/nothing`),
      await get(`${origin}/`, 'POST'),
    ]) {
      const header = (name: string): string | null => reply.headers.get(name)
      expect(header('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /)
      expect(header('x-content-type-options')).toBe('nosniff')
      expect(header('x-dns-prefetch-control')).toBe('off')
      expect(header('referrer-policy')).toBe('no-referrer')
      expect(header('cross-origin-opener-policy')).toBe('same-origin')
      expect(header('cross-origin-embedder-policy')).toBe('require-corp')
      expect(header('cross-origin-resource-policy')).toBe('same-origin')
      expect(header('permissions-policy')).toContain('camera=()')
    }
  })
})

test('a missing folder is an error at startup, not an empty page', async () => {
  await expect(
    createPages({ rendererDir: join(folder, 'none'), host: 'loopback' }),
  ).rejects.toThrow(/ENOENT/)
})

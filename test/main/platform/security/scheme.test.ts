import { describe, expect, test } from 'vitest'
import { answerScheme } from '../../../../src/main/platform/security/scheme.ts'

const seen: string[] = []
const fetch = async (request: Request): Promise<Response> => {
  seen.push(`${request.method} ${request.url}`)
  return new Response('content', {
    status: request.headers.has('range') ? 206 : 200,
    headers: { 'content-type': 'audio/wav' },
  })
}
const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
  seen.length = 0
  return answerScheme(new Request(url, init), fetch)
}

describe('app://', () => {
  test('bundle serves the page and uploads', async () => {
    expect((await ask('app://bundle/')).status).toBe(200)
    expect(seen).toEqual(['GET app://bundle/'])
    await ask('app://bundle/intake', { method: 'PUT', body: 'x' })
    expect(seen).toEqual(['PUT app://bundle/intake'])
  })

  test('media serves media by id, readable for the app page and no other origin', async () => {
    const reply = await ask('app://media/abc234', { headers: { range: 'bytes=0-1' } })
    expect(seen).toEqual(['GET app://bundle/media/abc234'])
    expect(reply.status).toBe(206)
    expect(reply.headers.get('content-type')).toBe('audio/wav')
    expect(reply.headers.get('access-control-allow-origin')).toBe('app://bundle')
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('serves the audio of a meeting by its own names, whole or up to a frame', async () => {
    const id = 'a'.repeat(64)
    for (const name of [`meeting-${id}`, `meeting-${id}?frames=48000`, `peaks-${id}`]) {
      expect((await ask(`app://media/${name}`)).status).toBe(200)
      expect(seen).toEqual([`GET app://bundle/media/${name}`])
    }
    await ask('app://bundle/capture/abc', { method: 'PUT', body: 'x' })
    expect(seen).toEqual(['PUT app://bundle/capture/abc'])
  })

  test.each([
    `app://media/meeting-${'a'.repeat(65)}`,
    'app://media/meeting-abc?frames=-1',
    'app://media/meeting-abc?frames=1&x',
    'app://media/peaks-abc?frames=1',
    'app://bundle/media/abc234',
    'app://media/',
    'app://media/../bundle/',
    'app://media/a/b',
    'app://media/a%2fb',
    'app://media/abc?x',
    'app://media/abc#x',
    `app://media/${'a'.repeat(65)}`,
    'app://other/',
    'app://bundle.evil/',
    'app://BUNDLE/',
    'app:///',
    'app://bundle:1/',
  ])('%s is 404 and reaches nothing', async (url) => {
    expect((await ask(url)).status).toBe(404)
    expect(seen).toEqual([])
  })

  test('another origin gets nothing, and must not upload files', async () => {
    for (const origin of ['app://media', 'https://evil.example', 'null', 'app://bundle.evil']) {
      const reply = await ask('app://bundle/intake', {
        method: 'PUT',
        body: 'x',
        headers: { origin },
      })
      expect(reply.status).toBe(404)
      const block = { method: 'PUT', body: 'x', headers: { origin } }
      expect((await ask('app://bundle/capture/abc', block)).status).toBe(404)
      expect((await ask('app://bundle/', { headers: { origin } })).status).toBe(404)
    }
    expect((await ask('app://media/abc', { method: 'PUT', body: 'x' })).status).toBe(404)
    expect(seen).toEqual([])
    await ask('app://bundle/intake', {
      method: 'PUT',
      body: 'x',
      headers: { origin: 'app://bundle' },
    })
    expect(seen).toHaveLength(1)
  })

  test('the error page has text and a link back, and no script', async () => {
    const reply = await ask('app://bundle/broken')
    const html = await reply.text()
    expect(seen).toEqual([])
    expect(html).toContain('href="app://bundle/"')
    expect(html).not.toContain('<script')
    expect(reply.headers.get('content-security-policy')).not.toContain('script-src')
  })
})

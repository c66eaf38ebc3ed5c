import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import type { Agents } from '../../../src/main/provider-client/agents.ts'
import { createMirrorGet } from '../../../src/main/updates/transfer.ts'

/** Simulates servers that respond according to a table: with a redirect, or with the package. */
function internet(redirects: Readonly<Record<string, string>>) {
  const requests: string[] = []
  const request = async ({ origin, path }: { origin: string; path: string }) => {
    requests.push(origin + path)
    const location = redirects[origin + path]
    return {
      statusCode: location ? 302 : 200,
      headers: location ? { location } : {},
      body: Readable.from([]),
    }
  }
  const agents = {
    use: (_url: URL, work: (dispatcher: Dispatcher) => unknown) =>
      work({ request } as unknown as Dispatcher),
    close: async () => {},
  } as unknown as Agents
  const get = createMirrorGet(agents, 1000)
  return { requests, get: (url: string) => get(url, { signal: new AbortController().signal }) }
}

test.each([
  'http://127.0.0.1:8080/x',
  'http://localhost/x',
  'http://other.example/x',
  'https://127.0.0.1/x',
  'https://127.1/x',
  'https://[::1]/x',
  'https://app.localhost/x',
  'https://10.0.0.1/x',
  'https://192.168.1.1/x',
  'https://169.254.169.254/latest/meta-data',
  'https://[fd00::1]/x',
  'https://[::ffff:127.0.0.1]/x',
])('does not follow a redirect of an internet mirror to %s', async (location) => {
  const it = internet({ 'https://mirror.example/x': location })
  await expect(it.get('https://mirror.example/x')).rejects.toMatchObject({ fault: 'offline' })
  expect(it.requests).toEqual(['https://mirror.example/x'])
})

test('does not follow it through a second server either', async () => {
  const it = internet({
    'https://mirror.example/x': 'https://other.example/x',
    'https://other.example/x': 'http://127.0.0.1/x',
  })
  await expect(it.get('https://mirror.example/x')).rejects.toMatchObject({ fault: 'offline' })
  expect(it.requests).toHaveLength(2)
})

test.each([
  ['https://mirror.example/x', 'https://files.example/x'],
  ['http://127.0.0.1:1/x', 'http://127.0.0.1:2/x'],
  ['https://192.168.1.1/x', 'https://192.168.1.1/y'],
])('allows %s to redirect to %s', async (url, location) => {
  const it = internet({ [url]: location })
  expect(await it.get(url)).toMatchObject({ status: 200 })
  expect(it.requests).toEqual([url, location])
})

test('allows http only for a mirror on this computer', async () => {
  const it = internet({})
  await expect(it.get('http://mirror.example/x')).rejects.toMatchObject({ fault: 'offline' })
  expect(it.requests).toEqual([])
})

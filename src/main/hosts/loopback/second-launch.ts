import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { readInstance } from '../support/instance.ts'
import { isLoopbackOrigin } from './access-control.ts'
import { secondLaunchPath } from './server.ts'

/** Result of a launch on a data folder in use. */
type FirstLaunch =
  | { readonly kind: 'window' }
  | { readonly kind: 'loopback'; readonly url: string }
  | { readonly kind: 'unknown' }

/**
 * Requests a new URL from the Lectern that locks this data folder; waits for its record, which may be written a moment later.
 */
export async function findFirstLaunch(home: string, patienceMs = 5000): Promise<FirstLaunch> {
  for (let waited = 0; ; waited += 200) {
    const instance = readInstance(home)
    if (instance?.host === 'electron') return { kind: 'window' }
    if (instance?.port) {
      const url = await freshUrl(instance.port, instance.secret)
      if (url !== null) return { kind: 'loopback', url }
    }
    if (waited >= patienceMs) return { kind: 'unknown' }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Returns a new URL from the Lectern on this port; null if something else responds there, or nothing. */
function freshUrl(port: number, secret: string): Promise<string | null> {
  return new Promise((resolve) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path: secondLaunchPath,
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        timeout: 2000,
      },
      (reply) => {
        text(reply).then(
          (url) => {
            const [origin = ''] = url.split('/launch/')
            resolve(reply.statusCode === 200 && isLoopbackOrigin(origin, port) ? url : null)
          },
          () => resolve(null),
        )
      },
    )
    call.once('timeout', () => call.destroy())
    call.once('error', () => resolve(null))
    call.end()
  })
}

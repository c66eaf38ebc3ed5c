import { readFile, stat } from 'node:fs/promises'
import type { ApiDeps } from '../../api/types.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/types.ts'

/** A loopback address is this computer: no proxy stands between, whatever the settings say. */
const loopback = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$)/i

/**
 * How the client reaches the network, by the user's settings: proxy and additional authorities, read for each call so that
 * a change counts at once. `systemProxy` is the host's. A certificate file that cannot be read is TLS_UNTRUSTED.
 */
export function createNetworkChoices(
  store: Pick<Store, 'settings'>,
  systemProxy: (url: string) => Promise<string | null>,
): Pick<ApiDeps, 'proxyFor' | 'extraCa'> {
  return {
    async proxyFor(url) {
      const { proxy } = store.settings.get()
      if (proxy === 'none' || loopback.test(url)) return null
      return proxy === 'system' ? systemProxy(url) : proxy
    },
    async extraCa() {
      const { caFile } = store.settings.get()
      if (caFile === '') return []
      // The path and the content stay here: either may say more than a page should know.
      const text = await readCertificates(caFile).catch(() => '')
      if (!text.includes('-----BEGIN CERTIFICATE-----')) {
        throw new AppError('TLS_UNTRUSTED', 'The file of certificate authorities cannot be read')
      }
      return [text]
    },
  }
}

/** The largest file of authorities that is read, in bytes. */
const largest = 1024 * 1024

/** Reads a regular file of at most 1 MB: a pipe or a device would never end. */
async function readCertificates(path: string): Promise<string> {
  const about = await stat(path)
  return about.isFile() && about.size <= largest ? readFile(path, 'utf8') : ''
}

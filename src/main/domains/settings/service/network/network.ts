import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NetworkChange } from '../../../../../shared/contract/network.ts'
import type { Settings } from '../../../../../shared/contract/settings.ts'
import type { ApiDeps } from '../../../../provider-client/types.ts'
import { AppError } from '../../../../errors.ts'
import { removal, writeFileWhole } from '../../../../../system/file-moves.ts'
import type { TrustHost } from '../../../../host.ts'
import { fromFileSystem } from '../../../../platform/database/file-errors.ts'
import type { Store } from '../../../../library-database/store.ts'
import { readCertificates } from './certificates.ts'

/** A loopback address is this computer: never proxied, whatever the settings are. */
const loopback = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$)/i

/** Network options of the client. */
export type NetworkChoices = Pick<ApiDeps, 'proxyFor' | 'extraCa'>

/** Copies of the certificates that the user added, in the data folder. */
const certificatesFile = (home: string): string => join(home, 'certificates.pem')

/**
 * Creates the client's network options from the user's settings: proxy and additional authorities, read for each request so that
 * a change takes effect at once. `systemProxy` is the host's. Certificates other than those the user confirmed cause
 * TLS_UNTRUSTED.
 */
export function createNetworkChoices(
  store: Pick<Store, 'settings'>,
  home: string,
  systemProxy: (url: string) => Promise<string | null>,
): NetworkChoices {
  return {
    async proxyFor(url) {
      const { proxy } = store.settings.get()
      if (proxy === 'none' || loopback.test(url)) return null
      return proxy === 'system' ? systemProxy(url) : proxy
    },
    async extraCa() {
      const { certificates } = store.settings.get()
      if (certificates.length === 0) return []
      const read = readCertificates(
        await readFile(certificatesFile(home)).catch(() => new Uint8Array()),
      )
      const confirmed = new Set(certificates.map(({ sha256 }) => sha256))
      if (!read?.facts.every(({ sha256 }) => confirmed.has(sha256)))
        throw new AppError('TLS_UNTRUSTED', 'The added certificates cannot be read')
      return [read.pem]
    },
  }
}

/** Settings that determine who can see keys in transit: the proxy and the certificates trusted in addition to the system's. */
export interface NetworkSettings {
  setProxy(proxy: string, connectionId: string): Promise<NetworkChange>
  addCertificates(connectionId: string): Promise<NetworkChange>
  removeCertificates(connectionId: string): Promise<NetworkChange>
}

/**
 * Changes the settings that determine who can read a key in transit. Script in a page must never control them, so the page only
 * sends a request: the host confirms with the user where no page can answer for them, and selects the file there.
 */
export function createNetworkSettings(deps: {
  readonly store: Pick<Store, 'settings'>
  readonly home: string
  readonly trust: TrustHost | undefined
  onChange(settings: Settings): void
}): NetworkSettings {
  const { store, home } = deps
  let isConfirming = false
  /** One dialog at a time: a page that requests repeatedly would flood the user with them. */
  const askExclusively = async <T>(ask: (trust: TrustHost) => Promise<T>): Promise<T> => {
    if (!deps.trust) throw new AppError('REFUSED', 'This host cannot ask the user')
    if (isConfirming)
      throw new AppError('WORK_UNDER_WAY', 'A confirmation is already open', { retriable: true })
    isConfirming = true
    try {
      return await ask(deps.trust)
    } finally {
      isConfirming = false
    }
  }
  const changed = (settings: Settings): NetworkChange => {
    deps.onChange(settings)
    return { outcome: 'changed', settings }
  }
  const declined = (): NetworkChange => ({ outcome: 'declined', settings: store.settings.get() })

  return {
    async setProxy(requestedProxy, connectionId) {
      // What is shown is what is used: scheme, host in ASCII and port, without anything that could disguise them.
      const proxy = URL.canParse(requestedProxy) ? new URL(requestedProxy).origin : requestedProxy
      if (store.settings.get().proxy === proxy)
        return { outcome: 'changed', settings: store.settings.get() }
      const question = { kind: 'proxy', proxy } as const
      if (!(await askExclusively((trust) => trust.confirm(question, connectionId))))
        return declined()
      return changed(store.settings.update({ proxy }))
    },
    async addCertificates(connectionId) {
      const chosen = await askExclusively((trust) => trust.chooseCertificates(connectionId))
      if (chosen === null) return declined()
      if ('problem' in chosen) throw refusedFile(chosen.problem)
      const read = readCertificates(chosen.bytes)
      if (!read) throw refusedFile('caContent')
      const question = { kind: 'certificates', certificates: read.facts } as const
      if (!(await askExclusively((trust) => trust.confirm(question, connectionId))))
        return declined()
      try {
        writeFileWhole(certificatesFile(home), read.pem)
      } catch (error) {
        throw fromFileSystem(error)
      }
      return changed(store.settings.update({ certificates: [...read.facts] }))
    },
    async removeCertificates(connectionId) {
      const { certificates } = store.settings.get()
      if (certificates.length === 0) return declined()
      const question = { kind: 'noCertificates' } as const
      if (!(await askExclusively((trust) => trust.confirm(question, connectionId))))
        return declined()
      const settings = store.settings.update({ certificates: [] })
      await rm(certificatesFile(home), removal)
      return changed(settings)
    },
  }
}

const refusedFile = (problem: string): AppError =>
  new AppError('REFUSED', `The certificate file was rejected: ${problem}`, {
    params: { problem },
  })

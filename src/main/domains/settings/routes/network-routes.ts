import type { NetworkSettings } from '../service/network/network.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of network settings changes, each confirmed by the user outside of the page. */
export const networkHandlers = (
  network: NetworkSettings,
): Pick<
  Handlers,
  'network.setProxy' | 'network.addCertificates' | 'network.removeCertificates'
> => ({
  'network.setProxy': ({ proxy }, { connection }) => network.setProxy(proxy, connection.id),
  'network.addCertificates': (_, { connection }) => network.addCertificates(connection.id),
  'network.removeCertificates': (_, { connection }) => network.removeCertificates(connection.id),
})

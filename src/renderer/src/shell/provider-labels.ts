import type { ConnectionState } from '../../../shared/model/connection.ts'

/** Label keys of a connection, and the style of its dot. Offline is neutral; only states that need the user are highlighted. */
interface ProviderLabels {
  readonly state: string
  readonly detail: string
  readonly tone: 'good' | 'calm' | 'attention'
}

/** Returns the status bar labels of a connection; null while main has not replied yet. */
export function providerLabels(connection: ConnectionState | null): ProviderLabels {
  if (!connection)
    return { state: 'status.connecting', detail: 'status.detailUnknown', tone: 'calm' }
  const local = connection.preset === 'local'
  switch (connection.state) {
    case 'online':
      return local
        ? { state: 'status.thisComputer', detail: 'status.detailLocal', tone: 'good' }
        : { state: 'status.online', detail: 'status.detailOnline', tone: 'good' }
    case 'offline':
      return { state: 'status.offline', detail: 'status.detailOffline', tone: 'calm' }
    case 'no-key':
      return { state: 'status.noKey', detail: 'status.detailNoKey', tone: 'attention' }
    case 'key-rejected':
      return { state: 'status.keyRejected', detail: 'status.detailKeyRejected', tone: 'attention' }
    case 'starting':
      return { state: 'status.starting', detail: 'status.detailStarting', tone: 'calm' }
    case 'unknown':
      return { state: 'status.unknown', detail: 'status.detailUnknown', tone: 'calm' }
  }
}

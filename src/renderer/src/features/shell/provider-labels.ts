import type { ConnectionState } from '../../../../shared/model/connection.ts'

/** Keys of the words for a connection, and the look of its dot. Offline is calm; only what needs the user asks for attention. */
export interface ProviderLabels {
  readonly state: string
  readonly detail: string
  readonly tone: 'good' | 'calm' | 'attention'
}

/** What the status bar says of a connection; null while main has not answered yet. */
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

import type { AppEvent } from '../../../shared/contract/events.ts'
import type { PushedEvent } from '../../../shared/contract/transport.ts'
import type { PageConnection } from '../../host.ts'

/** Connected pages, and the only way to reach them. */
export interface Pages {
  connect(connection: PageConnection): void
  disconnect(connection: PageConnection): void
  isConnected(connectionId: string): boolean
  /** Sends an event to every page. */
  emit(event: AppEvent): void
  /** Calls a listener in main with each event that is sent to every page. */
  listen(listener: (event: AppEvent) => void): void
  /** Sends an event to one page by its ID; does nothing if it is gone. */
  push(connectionId: string, event: PushedEvent): void
}

/** Tracks the connected pages. A page that fails to receive an event never disturbs the others. */
export function createPageSet(): Pages {
  const connections = new Map<string, PageConnection>()
  const listeners: ((event: AppEvent) => void)[] = []
  const push = (connection: PageConnection, event: PushedEvent): void => {
    try {
      connection.push(event)
    } catch {
      // The page is going away; its host disconnects it.
    }
  }
  return {
    connect: (connection) => void connections.set(connection.id, connection),
    disconnect: (connection) => void connections.delete(connection.id),
    isConnected: (connectionId) => connections.has(connectionId),
    emit: (event) => {
      for (const connection of connections.values()) push(connection, { channel: 'app', event })
      for (const listener of listeners) listener(event)
    },
    listen: (listener) => void listeners.push(listener),
    push: (connectionId, event) => {
      const connection = connections.get(connectionId)
      if (connection) push(connection, event)
    },
  }
}

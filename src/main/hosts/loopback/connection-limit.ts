import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum number of connections: a few tabs need a tenth of it, and the recorder always finds free descriptors. */
export const maxConnections = 256

/**
 * Limits how many connections other programs on this computer can occupy. Beyond {@link maxConnections} the oldest connection
 * without a session is closed for a new one, so that filling them all does not lock out the user's tabs; if all have a
 * session, the new one is refused.
 */
export function createConnectionLimit(): {
  watch(server: Server): void
  /** Marks the connection as authenticated: its request was accepted. */
  admit(socket: Socket): void
} {
  /** In the order of their arrival. */
  const strangers = new Set<Socket>()
  let count = 0
  const take = (socket: Socket): void => {
    count += 1
    strangers.add(socket)
    socket.once('close', () => {
      count -= 1
      strangers.delete(socket)
    })
    if (count <= maxConnections) return
    const [oldest = socket] = strangers
    strangers.delete(oldest)
    oldest.destroy()
  }
  return {
    watch: (server) => void server.on('connection', take),
    admit: (socket) => void strangers.delete(socket),
  }
}

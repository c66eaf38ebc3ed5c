import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections at a time: a few tabs need a tenth of it, and the recorder always finds free descriptors. */
export const maxConnections = 256

/**
 * Bounds what other programs on this computer can hold of this server. Beyond {@link maxConnections} the oldest connection that showed no
 * session makes room for a new one, so that filling them all does not lock the user's tabs out; where all have shown one, the new one is refused.
 */
export function createConnectionLimit(): {
  watch(server: Server): void
  /** This connection's request was let in. */
  admit(socket: Socket): void
} {
  /** In the order in which they came. */
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

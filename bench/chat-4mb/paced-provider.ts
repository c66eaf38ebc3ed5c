import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const everyMs = 20

/** A provider whose agent answers at a steady rate. */
export interface PacedProvider {
  readonly url: string
  /** Sets the text of the next answers, and how many UTF-16 units of it are sent per second. */
  answer(text: string, unitsOfSecond: number): void
  close(): Promise<void>
}

/** Starts it on 127.0.0.1. */
export async function startPacedProvider(): Promise<PacedProvider> {
  let text = ''
  let unitsOfSecond = 1
  const server = createServer((request, response) => {
    request.resume()
    if (!request.url?.endsWith('/agent/chat')) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"voice_list":[]}')
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (event: object): void =>
      void response.write(`data: ${JSON.stringify({ ...event, sessionId: 'bench' })}\n\n`)
    const begun = performance.now()
    let sent = 0
    const timer = setInterval(() => {
      const elapsed = (performance.now() - begun) / 1000
      const due = Math.min(text.length, Math.floor(elapsed * unitsOfSecond))
      if (due > sent) send({ type: 'answer', data: text.slice(sent, due) })
      sent = due
      if (sent < text.length) return
      clearInterval(timer)
      send({ type: 'done', messageId: 'bench' })
      response.end()
    }, everyMs)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    answer(next, rate) {
      text = next
      unitsOfSecond = rate
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

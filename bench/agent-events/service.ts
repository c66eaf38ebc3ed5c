import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventText, secondsOfStream, eventsPerSecond, totalEvents } from './stream.ts'

// A server in its own process that streams agent events at a steady rate: prints its address, exits with its parent.

const everyMs = 5

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    if (request.url?.endsWith('/zrag/agent/chat')) return stream(response)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"voice_list":[]}')
  })
})

/** Writes on each tick what is due by the clock; the next tick makes up for a late one. */
function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.socket?.setNoDelay(true)
  const start = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const elapsed = Math.min(secondsOfStream, (performance.now() - start) / 1000)
    const due = Math.min(totalEvents, Math.floor(elapsed * eventsPerSecond))
    let text = ''
    for (; sent < due; sent++) text += eventText(sent)
    if (text !== '') response.write(text)
    if (sent < totalEvents) return
    clearInterval(timer)
    response.end()
  }, everyMs)
  response.on('close', () => clearInterval(timer))
}

server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port)
})
process.on('disconnect', () => process.exit(0))

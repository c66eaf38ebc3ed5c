import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A server in its own process that discards uploads and returns their size.
const server = createServer((request, response) => {
  let bytes = 0
  request.on('data', (chunk: Buffer) => (bytes += chunk.length))
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ md_results: '', bytes }))
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())

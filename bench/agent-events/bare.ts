import { createParser } from 'eventsource-parser'
import { totalEvents } from './stream.ts'

// The minimum work any client must do with the same stream: read it, find the events, parse their JSON. Prints `read COUNT`.

let count = 0
const parser = createParser({
  onEvent({ data }) {
    if (typeof (JSON.parse(data) as { type: unknown }).type === 'string') count += 1
  },
})
process.on('message', (url: string) => {
  void (async () => {
    const reply = await fetch(`${url}/zrag/agent/chat`, { method: 'POST', body: '{}' })
    const decoder = new TextDecoder()
    for await (const chunk of reply.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }))
    if (count !== totalEvents) throw new Error(`the bare reader got ${count} events`)
    process.stdout.write(`read ${count}\n`)
  })()
})
process.on('disconnect', () => process.exit(0))

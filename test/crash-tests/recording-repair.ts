import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startCapture } from '../main/domains/audio/service/recording/fixture.ts'

// Simulates the next start: repairs the sessions, and writes each to a file as a page would receive it.
const [home = ''] = process.argv.slice(2)
const { capture, problems } = startCapture(home, { run: 'next-run' })
const recovered = await capture.recover()
for (const { id } of recovered) {
  const name = `meeting-${id}`
  const response = await capture.respond(new Request(`http://127.0.0.1/media/${name}`), name)
  if (response.status !== 200 || !response.body) throw new Error(`${name}: ${response.status}`)
  await pipeline(Readable.fromWeb(response.body), createWriteStream(join(home, `${id}.wav`)))
}
await capture.shutdown()
console.log(JSON.stringify({ recovered, problems }))

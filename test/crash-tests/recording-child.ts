import { writeSync } from 'node:fs'
import { captureFrameHeader, type CaptureReply } from '../../src/shared/contract/transport.ts'
import type { Reply } from '../../src/shared/contract/reply.ts'
import { signal } from '../main/domains/audio/worker/fixture.ts'
import { startCapture } from '../main/domains/audio/service/recording/fixture.ts'

// Child process to be killed: records one session in real time, and prints the acknowledged frames after every block.
const [home = '', id = '', sampleRate = ''] = process.argv.slice(2)
const rate = Number(sampleRate)
const blockMs = 100
const { capture } = startCapture(home, { partSeconds: 1 })
// Written synchronously: data in the pipe outlives this process.
const say = (line: string): void => void writeSync(1, `${line}\n`)

say('starting')
await capture.begin({
  id,
  title: `Meeting ${id}`,
  roles: ['mic', 'others'],
  sampleRate: rate,
  labels: [],
  startedAt: Date.now(),
})
say('0')
const startedAt = Date.now()
const blockFrames = (rate * blockMs) / 1000
for (let block = 0; ; block++) {
  const late = startedAt + block * blockMs - Date.now()
  if (late > 0) await new Promise((resolve) => setTimeout(resolve, late))
  const frame = block * blockFrames
  const request = new Request(`http://127.0.0.1/capture/${id}`, {
    method: 'PUT',
    headers: { [captureFrameHeader]: String(frame) },
    body: Uint8Array.from(signal(frame, blockFrames)),
  })
  const reply = (await (await capture.take(request, id)).json()) as Reply<CaptureReply>
  if (!reply.ok) throw new Error(`refused: ${JSON.stringify(reply.error)}`)
  say(String(reply.data.frames))
}

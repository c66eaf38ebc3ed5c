import { setTimeout as sleep } from 'node:timers/promises'
import { captureFrameHeader, type CaptureReply } from '../../../src/shared/contract/transport.ts'
import type { Reply } from '../../../src/shared/contract/reply.ts'
import type { TestApp } from '../../fixtures/app.ts'

/** Frames per block, as a page sends them: 100 ms at 48 kHz. */
const blockFrames = 4800

/**
 * Sends two channels of interleaved audio as a recording page does, starting at a frame of the session; resolves with the
 * number of written frames.
 */
export async function record(
  app: TestApp,
  id: string,
  both: Int16Array<ArrayBuffer>,
  from = 0,
): Promise<number> {
  let written = from
  const frames = both.length / 2
  for (let at = 0; at < frames; at += blockFrames) {
    // Progress is reported once a second: the last block is late enough for a complete report.
    if (at + blockFrames >= frames) await sleep(1100)
    const block = both.slice(at * 2, (at + blockFrames) * 2)
    const request = new Request(`http://127.0.0.1/capture/${id}`, {
      method: 'PUT',
      headers: { [captureFrameHeader]: String(from + at) },
      body: new Uint8Array(block.buffer),
    })
    const answer = await app.app.fetch(request, app.page)
    const reply = (await answer.json()) as Reply<CaptureReply>
    if (!reply.ok) throw new Error(reply.error.message)
    written = reply.data.frames
  }
  return written
}

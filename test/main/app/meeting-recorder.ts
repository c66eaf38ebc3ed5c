import { captureFrameHeader, type CaptureReply } from '../../../src/shared/bridge/transport.ts'
import type { Reply } from '../../../src/shared/bridge/reply.ts'
import type { TestApp } from '../../fixtures/app.ts'

/** Frames of one block, as a page sends them: 100 ms at 48 kHz. */
const blockFrames = 4800

/**
 * Sends two channels of interleaved sound as a page does while it records, from a frame of the session on; resolves with the frames
 * that are written.
 */
export async function record(
  app: TestApp,
  id: string,
  both: Int16Array<ArrayBuffer>,
  from = 0,
): Promise<number> {
  let written = from
  for (let at = 0; at < both.length / 2; at += blockFrames) {
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

import type { Reply } from '../../../../shared/contract/reply.ts'
import {
  captureFrameHeader,
  capturePath,
  tabKey as keyHeader,
  type CaptureReply,
} from '../../../../shared/contract/transport.ts'

/** Block of live audio being sent to main. */
interface AudioBlock {
  /** ID of the meeting. */
  readonly id: string
  readonly tabKey: string | null
  /** Frame of the timeline at which it begins. */
  readonly frame: number
  /** Whether silence is written up to there first. */
  readonly fill: boolean
  /** Interleaved; every computer that runs a page is little-endian, like the transfer format. */
  readonly samples: Int16Array<ArrayBuffer>
}

/** Result of the upload: a reply of main, no server, or rejected. */
type AudioOutcome =
  | { readonly type: 'answer'; readonly reply: CaptureReply }
  | { readonly type: 'away' | 'refused' }

/** Maximum milliseconds to wait for main's reply: a stalled block is sent again, and main skips frames it already has. */
const patienceMs = 20_000

/** Sends `PUT /capture/<id>`, for the sender's worker. Never rejects. */
export async function putAudio(block: AudioBlock): Promise<AudioOutcome> {
  try {
    const response = await fetch(capturePath + encodeURIComponent(block.id), {
      method: 'PUT',
      headers: {
        [captureFrameHeader]: block.fill ? `${block.frame} fill` : String(block.frame),
        ...(block.tabKey !== null && { [keyHeader.header]: block.tabKey }),
      },
      body: block.samples,
      signal: AbortSignal.timeout(patienceMs),
    })
    const reply = (await response.json()) as Reply<CaptureReply>
    if (reply.ok) return { type: 'answer', reply: reply.data }
    return { type: reply.error.retriable ? 'away' : 'refused' }
  } catch {
    return { type: 'away' }
  }
}

import type { Reply } from '../../../shared/bridge/reply.ts'
import {
  captureFrameHeader,
  capturePath,
  tabKey as keyHeader,
  type CaptureReply,
} from '../../../shared/bridge/transport.ts'

/** One block of live sound on its way to main. */
export interface AudioBlock {
  /** The meeting's id. */
  readonly id: string
  readonly tabKey: string | null
  /** The frame of the timeline it begins at. */
  readonly frame: number
  /** Silence is to be written up to there first. */
  readonly fill: boolean
  /** Interleaved; every computer that runs a page is little-endian, as the wire is. */
  readonly samples: Int16Array<ArrayBuffer>
}

/** How it fared: main's answer, nobody there, or refused. */
export type AudioOutcome =
  | { readonly type: 'answer'; readonly reply: CaptureReply }
  | { readonly type: 'away' | 'refused' }

/** Longest wait for main's answer, in ms: a block that hangs is sent again, and main leaves out what it has. */
const patienceMs = 20_000

/** `PUT /capture/<id>`, for the sender's worker. Never rejects. */
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

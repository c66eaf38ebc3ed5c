import { appOrigin, originOf } from './origins.ts'

/** A page's wish to capture what the computer shows or plays. */
export interface CaptureQuestion {
  /** URL of the asking frame; null when the frame is gone. */
  readonly frameUrl: string | null
  readonly isTopFrame: boolean
  readonly audio: boolean
  readonly userGesture: boolean
}

/** What is handed out: the picture of the page itself, with the computer's sound where the system can give it. */
export type CaptureGrant =
  | { readonly ok: false }
  | { readonly ok: true; readonly loopbackAudio: boolean }

/** Decides display capture: our own top frame, in answer to a click or a key. */
export function captureGrant(question: CaptureQuestion): CaptureGrant {
  if (question.frameUrl === null || !question.isTopFrame || !question.userGesture)
    return { ok: false }
  if (originOf(question.frameUrl) !== appOrigin) return { ok: false }
  return { ok: true, loopbackAudio: question.audio }
}

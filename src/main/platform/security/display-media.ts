import { appOrigin, originOf } from './origins.ts'

/** A page's request to capture the screen or the computer's audio. */
interface CaptureQuestion {
  /** URL of the requesting frame; null if the frame no longer exists. */
  readonly frameUrl: string | null
  readonly isTopFrame: boolean
  readonly audio: boolean
  readonly userGesture: boolean
}

/** Granted capture: the video of the page itself, with the computer's audio where the system supports it. */
type CaptureGrant = { readonly ok: false } | { readonly ok: true; readonly loopbackAudio: boolean }

/** Decides display capture: only for our own top frame, in response to a click or a key. */
export function captureGrant(question: CaptureQuestion): CaptureGrant {
  if (question.frameUrl === null || !question.isTopFrame || !question.userGesture)
    return { ok: false }
  if (originOf(question.frameUrl) !== appOrigin) return { ok: false }
  return { ok: true, loopbackAudio: question.audio }
}

/** Sender frame of a bridge message, with the properties that the check uses. */
interface SenderFrame {
  /** Scheme, host and port as reported by the browser engine. */
  readonly origin: string
  readonly url: string
  /** Null for a top frame. */
  readonly parent: unknown
}

/** Sender of a bridge message. */
interface Sender {
  /** Null once the frame has navigated or been destroyed. */
  readonly frame: SenderFrame | null
  readonly contentsId: number
}

/** Whether a message may be answered: a live top frame of exactly the app's origin, in a window that the app opened. */
export function trustedSender(
  sender: Sender,
  known: ReadonlySet<number>,
  origin: string,
  page: string,
): boolean {
  const { frame } = sender
  if (frame === null || frame.parent !== null) return false
  if (frame.origin !== origin) return false
  if (frame.url !== page && !frame.url.startsWith(`${page}#`)) return false
  return known.has(sender.contentsId)
}

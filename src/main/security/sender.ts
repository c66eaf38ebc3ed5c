/** The frame a bridge message came from, as far as the gate looks. */
export interface SenderFrame {
  /** Scheme, host and port as the browser engine states them. */
  readonly origin: string
  readonly url: string
  /** Null for a top frame. */
  readonly parent: unknown
}

/** A bridge message's sender. */
export interface Sender {
  /** Null once the frame has navigated or is gone. */
  readonly frame: SenderFrame | null
  readonly contentsId: number
}

/** Whether a message may be answered: a living top frame, of exactly our origin, in a window that we opened. */
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

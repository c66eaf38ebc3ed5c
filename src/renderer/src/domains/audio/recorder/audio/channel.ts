import { SourceError, type SourceProblem } from './sources.ts'

/** State of a channel's source. `lost`: it ended and is replaced by silence; `muted`: the system muted its audio. */
export type ChannelState = 'live' | 'muted' | 'lost'

/** One channel of the recording and its source, which may disconnect and return. */
export interface Channel {
  readonly state: ChannelState
  /** Label of the source. */
  readonly label: string
  /** ID of the device in use; empty if the source is not a device. */
  readonly deviceId: string
  readonly groupId: string
  /** The lost source ended right after it was opened: the system denied it without an error. */
  readonly endedAtOnce: boolean
  /** Opens or reopens the source. Throws {@link SourceError}; the channel then stays unchanged. */
  open(): Promise<void>
  /** Called when devices changed: retries a lost source at once. */
  hurry(): void
  close(): void
}

interface ChannelParts {
  /** Requests the source. */
  source(): Promise<MediaStream>
  /** Feeds the channel; null means silence. */
  connect(stream: MediaStream | null): void
  onChange(): void
  /** Whether the source reopens automatically; a source that needs a user's click does not. */
  readonly reopens: boolean
  wait(ms: number): Promise<void>
  /** Clock in ms. */
  now(): number
}

/** A source that ends within this many ms was denied: macOS without the permission returns a track and ends it. */
const atOnceMs = 2000

/** Delays between attempts to reopen a lost source, in ms. */
const pauses = [0, 500, 1000, 2000, 5000] as const

/** Creates a channel without a source. */
export function createChannel(parts: ChannelParts): Channel {
  let stream: MediaStream | null = null
  let state: ChannelState = 'lost'
  let label = ''
  let closed = false
  let openedAt = -Infinity
  let endedAtOnce = false
  let reopening = false
  let wake: () => void = () => {}

  const become = (next: ChannelState): void => {
    if (closed || state === next) return
    state = next
    parts.onChange()
  }
  const release = (): void => {
    for (const track of stream?.getTracks() ?? []) track.stop()
    stream = null
  }
  const lose = (): void => {
    endedAtOnce = parts.now() - openedAt < atOnceMs
    release()
    parts.connect(null)
    become('lost')
    if (parts.reopens) void reopen()
  }
  const take = (fresh: MediaStream): void => {
    const track = fresh.getAudioTracks()[0]
    if (!track || closed) {
      for (const one of fresh.getTracks()) one.stop()
      return
    }
    release()
    stream = fresh
    openedAt = parts.now()
    label = track.label
    // Not stopped here: the event is fired only when the device or the user ended it.
    track.addEventListener('ended', () => stream === fresh && lose())
    track.addEventListener('mute', () => stream === fresh && become('muted'))
    track.addEventListener('unmute', () => stream === fresh && become('live'))
    parts.connect(fresh)
    state = track.muted ? 'muted' : 'live'
    parts.onChange()
  }
  const reopen = async (): Promise<void> => {
    if (reopening) return
    reopening = true
    // A source that ends at once would do so endlessly.
    for (let tries = endedAtOnce ? pauses.length : 0; !closed && state === 'lost'; tries++) {
      const hurried = new Promise<void>((resolve) => (wake = resolve))
      await Promise.race([parts.wait(pauses[tries] ?? 5000), hurried])
      if (closed || state !== 'lost') break
      await parts.source().then(take, () => {})
    }
    reopening = false
  }
  return {
    get state() {
      return state
    },
    get label() {
      return label
    },
    get deviceId() {
      return stream?.getAudioTracks()[0]?.getSettings().deviceId ?? ''
    },
    get groupId() {
      return stream?.getAudioTracks()[0]?.getSettings().groupId ?? ''
    },
    get endedAtOnce() {
      return state === 'lost' && endedAtOnce
    },
    async open() {
      take(await parts.source())
    },
    hurry: () => wake(),
    close() {
      closed = true
      release()
      wake()
    },
  }
}

/** Returns the problem of a failed opening. */
export const sourceProblem = (error: unknown): SourceProblem =>
  error instanceof SourceError ? error.problem : 'unsupported'

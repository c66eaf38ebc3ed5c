import { SourceError, type SourceProblem } from './sources.ts'

/** How a channel's source is. `lost`: it ended, and silence keeps its place; `muted`: the system took its sound away. */
export type ChannelState = 'live' | 'muted' | 'lost'

/** One channel of the recording and the source that feeds it, which may go and come back. */
export interface Channel {
  readonly state: ChannelState
  /** What the source calls itself. */
  readonly label: string
  /** The device in use; empty for what is no device. */
  readonly deviceId: string
  readonly groupId: string
  /** The source that is lost ended right after it was opened: the system takes it away without a word. */
  readonly endedAtOnce: boolean
  /** Opens the source (anew). Throws {@link SourceError}; the channel stays as it was. */
  open(): Promise<void>
  /** Something changed among the devices: a lost source is tried again at once. */
  hurry(): void
  close(): void
}

/** What a channel needs. */
export interface ChannelParts {
  /** Asks for the source. */
  source(): Promise<MediaStream>
  /** Feeds the channel; null leaves silence. */
  connect(stream: MediaStream | null): void
  onChange(): void
  /** It comes back by itself; a source that needs the user's click does not. */
  readonly reopens: boolean
  wait(ms: number): Promise<void>
  /** A clock in ms. */
  now(): number
}

/** A source that ends this soon, in ms, was refused: macOS without the permission gives a track and ends it. */
const atOnceMs = 2000

/** Pauses between tries of a source that is gone, in ms. */
const pauses = [0, 500, 1000, 2000, 5000] as const

/** Builds a channel without a source. */
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
    // Not stopped by us: the event comes only when the device or the user ended it.
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
    // One that ends at once would do so without end.
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

/** The problem behind a failed opening. */
export const sourceProblem = (error: unknown): SourceProblem =>
  error instanceof SourceError ? error.problem : 'unsupported'

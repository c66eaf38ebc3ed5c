import type { LevelMessage, WorkletRequest } from './messages.ts'

/** Audio graph of a recording: one slot per channel, which stays connected whatever its source does. */
export interface Graph {
  /** Actual sample rate of the context. */
  readonly sampleRate: number
  /** Feeds a channel; null means silence for exactly as long as there is no source. */
  connect(channel: number, stream: MediaStream | null): void
  post(request: WorkletRequest, transfer?: Transferable[]): void
  /** Resumes after the system stopped the context. */
  wake(): void
  close(): void
}

/** Requested sample rate; recordings are exact at whatever rate results. */
const wantedRate = 48_000

/** Opens the graph. `onRunning` reports when the system stops or resumes the context. */
export async function openGraph(
  channels: number,
  on: { levels(message: LevelMessage): void; running(running: boolean): void },
): Promise<Graph> {
  const context = new AudioContext({
    sampleRate: wantedRate,
    latencyHint: 'playback',
    ...silentSink,
  })
  // The build emits it as a separate file, which the page's policy allows.
  const worklet = await import('./recorder-worklet.ts?worker&url')
  await context.audioWorklet.addModule(worklet.default)
  const recorder = new AudioWorkletNode(context, 'lectern-recorder', {
    numberOfInputs: channels,
    numberOfOutputs: 1,
    // A source with more channels is mixed down to one.
    channelCount: 1,
    channelCountMode: 'explicit',
    channelInterpretation: 'speakers',
    processorOptions: { channels },
  })
  // Its output is silent, but a node that is not connected would not be run.
  recorder.connect(context.destination)
  recorder.port.onmessage = ({ data }: MessageEvent<LevelMessage>) => on.levels(data)
  const slots = Array.from({ length: channels }, (_, input) => {
    const slot = context.createGain()
    slot.connect(recorder, 0, input)
    return { slot, source: null as MediaStreamAudioSourceNode | null }
  })
  let closed = false
  const wake = (): void => {
    if (!closed && context.state !== 'running') void context.resume().catch(() => {})
  }
  context.addEventListener('statechange', () => {
    if (closed) return
    on.running(context.state === 'running')
    wake()
  })
  wake()
  return {
    sampleRate: context.sampleRate,
    connect(channel, stream) {
      const place = slots[channel]
      if (!place) return
      place.source?.disconnect()
      place.source = stream && context.createMediaStreamSource(stream)
      place.source?.connect(place.slot)
    },
    post: (request, transfer = []) => recorder.port.postMessage(request, transfer),
    wake,
    close() {
      closed = true
      void context.close()
    },
  }
}

/** Nothing is played, so an unplugged or sleeping loudspeaker must not stop the clock. Older browsers ignore it. */
const silentSink: object = { sinkId: { type: 'none' } }

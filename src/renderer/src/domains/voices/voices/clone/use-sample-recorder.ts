import { onScopeDispose, ref, shallowRef } from 'vue'
import { waveHeader } from '../../../../../../shared/audio/wave-header.ts'
import { sampleRules } from '../../../../../../shared/model/sample.ts'
import { createLatest } from '../../../../kit/use-latest.ts'
import {
  type Graph,
  type ChannelLevel,
  type RecorderMessage,
  SourceError,
  type SourceProblem,
} from '../../../audio/index.ts'

/** Phase of recording a sample. */
type RecorderPhase = 'idle' | 'opening' | 'counting' | 'recording' | 'ending'

/** Seconds of countdown before the first audio. */
const countdown = 3

/** Records a sample from the microphone: up to half a minute, held in the page until it is complete. */
export function useSampleRecorder(onDone: (file: File) => void) {
  const phase = ref<RecorderPhase>('idle')
  const count = ref(0)
  const ms = ref(0)
  const level = shallowRef<ChannelLevel>()
  const problem = ref<SourceProblem | null>(null)
  let graph: Graph | null = null
  let stream: MediaStream | null = null
  let chunks: Int16Array<ArrayBuffer>[] = []
  const latest = createLatest()
  let keep = true
  /** Ends the wait for the next number of the countdown. */
  let hurry: () => void = () => {}

  const release = (): void => {
    latest.cancel()
    graph?.close()
    for (const track of stream?.getTracks() ?? []) track.stop()
    graph = null
    stream = null
    level.value = undefined
    phase.value = 'idle'
  }

  function take(message: RecorderMessage): void {
    if (message.type === 'block') {
      chunks.push(message.samples)
      ms.value = ((message.frame + message.samples.length) * 1000) / (graph?.sampleRate ?? 48_000)
      if (ms.value >= sampleRules.recordMs && phase.value === 'recording') stop()
      return
    }
    if (message.type !== 'ended') return
    const rate = graph?.sampleRate ?? 48_000
    const recorded = chunks
    release()
    chunks = []
    if (keep && recorded.length > 0) onDone(waveFile(recorded, rate, 'recording.wav'))
  }

  async function open(deviceId: string, isLatest: () => boolean): Promise<Graph | null> {
    // Loaded with the first recording: the page renders without them.
    const { openGraph, openMicrophone } = await import('../../../audio/recorder/audio/index.ts')
    if (!('mediaDevices' in navigator)) throw new SourceError('unsupported')
    const opened = await openMicrophone(navigator.mediaDevices, deviceId, 'headset')
    const made = await openGraph(1, {
      levels: ({ levels }) => (level.value = levels[0]),
      running: () => {},
    })
    if (!isLatest()) {
      made.close()
      for (const track of opened.getTracks()) track.stop()
      return null
    }
    stream = opened
    graph = made
    made.connect(0, opened)
    // Unplugged while recording: the audio so far is still a sample.
    opened.getAudioTracks()[0]?.addEventListener('ended', () => stream === opened && stop())
    return made
  }

  /** Opens the microphone, counts down, and records. */
  async function start(deviceId: string): Promise<void> {
    if (phase.value !== 'idle') return
    const isLatest = latest.start()
    problem.value = null
    phase.value = 'opening'
    chunks = []
    ms.value = 0
    keep = true
    try {
      const made = await open(deviceId, isLatest)
      if (!made) return
      phase.value = 'counting'
      for (count.value = countdown; count.value > 0; count.value--) {
        await new Promise<void>((resolve) => {
          hurry = resolve
          setTimeout(resolve, 1000)
        })
        if (!isLatest()) return
      }
      const channel = new MessageChannel()
      channel.port1.onmessage = ({ data }: MessageEvent<RecorderMessage>) => take(data)
      made.post({ type: 'record', port: channel.port2 }, [channel.port2])
      phase.value = 'recording'
    } catch (error) {
      if (!isLatest()) return
      problem.value = error instanceof SourceError ? error.problem : 'unsupported'
      release()
    }
  }
  /** Skips the rest of the countdown and records now. */
  function now(): void {
    if (phase.value !== 'counting') return
    count.value = 1
    hurry()
  }
  /** Ends and keeps the recording. */
  function stop(): void {
    if (phase.value !== 'recording') return release()
    phase.value = 'ending'
    graph?.post({ type: 'end' })
  }
  /** Ends and discards the recording. */
  function cancel(): void {
    keep = false
    stop()
  }
  onScopeDispose(() => {
    keep = false
    release()
  })
  return { phase, count, ms, level, problem, start, now, stop, cancel }
}

/** A wav file of 16-bit mono audio, from its chunks. */
function waveFile(
  chunks: readonly Int16Array<ArrayBuffer>[],
  sampleRate: number,
  name: string,
): File {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  const header = waveHeader({ channels: 1, sampleRate }, bytes)
  return new File([header, ...chunks], name, { type: 'audio/wav' })
}

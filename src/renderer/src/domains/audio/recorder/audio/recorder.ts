import { readTabKey } from '../../../../lib/bridge/tab-key.ts'
import { createChannel, type Channel } from './channel.ts'
import { openGraph } from './graph.ts'
import type { LevelMessage, SenderMessage, SenderRequest } from './messages.ts'
import { defaultGroup, listMicrophones, openMicrophone, openSystemAudio } from './sources.ts'

/** Options of a recording. */
export interface RecorderOptions {
  readonly roles: readonly ('mic' | 'others')[]
  /** Empty for the system default. */
  readonly deviceId: string
  readonly mode: 'headset' | 'speaker'
}

/** Events of a recorder. */
export interface RecorderEvents {
  levels(message: LevelMessage): void
  sent(message: SenderMessage): void
  /** The source of a channel changed: see {@link Recorder.channels}. */
  channel(index: number): void
  /** The system stopped or resumed the audio. */
  running(running: boolean): void
}

/** Open sources with level metering; recorded from {@link Recorder.record} on. */
export interface Recorder {
  readonly sampleRate: number
  readonly channels: readonly Channel[]
  /** Begins at frame 0; blocks are sent from the worklet to the sender's worker, bypassing this thread. */
  record(meetingId: string): void
  pause(): void
  resume(): void
  /** Ends the recording; the `done` message follows when everything is written. */
  end(): void
  /** Changes the microphone while recording. Throws SourceError; the previous one then continues. */
  choose(deviceId: string): Promise<void>
  /** Called when the computer woke up or main is reachable again. */
  hurry(): void
  close(): void
}

/** Opens sources and graph. Throws SourceError. Requests system audio first, while the user activation is fresh. */
export async function openRecorder(
  options: RecorderOptions,
  on: RecorderEvents,
): Promise<Recorder> {
  const devices = navigator.mediaDevices
  let wanted = options.deviceId
  let worker: Worker | null = null
  const graph = await openGraph(options.roles.length, on)
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
  const channels = options.roles.map((role, index) =>
    createChannel({
      source: () =>
        role === 'mic' ? openMicrophone(devices, wanted, options.mode) : openSystemAudio(devices),
      connect: (stream) => graph.connect(index, stream),
      onChange: () => on.channel(index),
      reopens: role === 'mic',
      wait,
      now: () => performance.now(),
    }),
  )
  const microphone = channels[options.roles.indexOf('mic')]
  const close = (): void => {
    devices.removeEventListener('devicechange', onDevices)
    for (const channel of channels) channel.close()
    graph.close()
    worker?.terminate()
  }
  /** Switches to the preferred device when it returns, and to the system default when that changes. */
  const follow = async (): Promise<void> => {
    if (!microphone) return
    microphone.hurry()
    if (microphone.state === 'lost') return
    const back = wanted !== '' && wanted !== microphone.deviceId
    const there = back && (await listMicrophones(devices)).some(({ id }) => id === wanted)
    const group = wanted === '' ? await defaultGroup(devices) : null
    const moved = group !== null && group !== '' && group !== microphone.groupId
    if (there || moved) await microphone.open().catch(() => {})
  }
  const onDevices = (): void => void follow()
  devices.addEventListener('devicechange', onDevices)
  try {
    for (const channel of channels.toReversed()) await channel.open()
  } catch (error) {
    close()
    throw error
  }
  return {
    sampleRate: graph.sampleRate,
    channels,
    record(id) {
      const { port1, port2 } = new MessageChannel()
      worker = new Worker(new URL('./sender-worker.ts', import.meta.url), { type: 'module' })
      worker.onmessage = ({ data }: MessageEvent<SenderMessage>) => on.sent(data)
      const open: SenderRequest = {
        type: 'open',
        id,
        channels: channels.length,
        sampleRate: graph.sampleRate,
        tabKey: readTabKey(),
        port: port2,
      }
      worker.postMessage(open, [port2])
      graph.post({ type: 'record', port: port1 }, [port1])
    },
    pause: () => graph.post({ type: 'pause' }),
    resume: () => graph.post({ type: 'resume' }),
    end: () => graph.post({ type: 'end' }),
    async choose(deviceId) {
      const before = wanted
      wanted = deviceId
      await microphone?.open().catch((error: unknown) => {
        wanted = before
        throw error
      })
    },
    hurry() {
      graph.wake()
      void follow()
      const request: SenderRequest = { type: 'hurry' }
      worker?.postMessage(request)
    },
    close,
  }
}

import type { AppInfo } from '../../../../shared/contract/app.ts'
import type { Client } from '../../lib/bridge/client.ts'
import { readMedia, readMediaRange } from '../../lib/bridge/read-media.ts'
import { uploadForSelfTest } from '../../lib/bridge/upload.ts'
import type { PageWorld } from './page-checks.ts'

/** This page as the environment of its checks. */
export const pageWorld = (client: Client, { host }: AppInfo): PageWorld => ({
  host,
  client,
  upload: uploadForSelfTest,
  read: readMedia,
  readRange: readMediaRange,
  devices: 'mediaDevices' in navigator ? navigator.mediaDevices : null,
  async microphonePermission() {
    return (await navigator.permissions.query({ name: 'microphone' })).state
  },
  listen,
  playTone,
  surface: (size) =>
    Object.assign(document.createElement('canvas'), { width: size, height: size }).getContext(
      '2d',
      { willReadFrequently: true },
    ),
  hasWebgl: () => document.createElement('canvas').getContext('webgl2') !== null,
  decode,
  makesCode,
  globals: globalThis,
  now: () => performance.now(),
})

/** Milliseconds between two measurements; shorter than the window of one. */
const sampleIntervalMs = 100

async function listen(stream: MediaStream, ms: number): Promise<number> {
  const context = new AudioContext()
  const analyser = new AnalyserNode(context, { fftSize: 32_768 })
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  let peak = 0
  for (let past = 0; past < ms; past += sampleIntervalMs) {
    await new Promise((resolve) => setTimeout(resolve, sampleIntervalMs))
    analyser.getFloatTimeDomainData(samples)
    peak = samples.reduce((max, value) => Math.max(max, Math.abs(value)), peak)
  }
  await context.close()
  return peak
}

function playTone(): () => void {
  const context = new AudioContext()
  const tone = new OscillatorNode(context, { frequency: 440 })
  tone.connect(new GainNode(context, { gain: 0.05 })).connect(context.destination)
  tone.start()
  return () => void context.close()
}

/** Loads audio as the player does, and decodes it as for peaks. */
async function decode(url: string): Promise<{ seconds: number; peak: number }> {
  const player = new Audio()
  player.crossOrigin = 'anonymous'
  const seconds = await new Promise<number>((resolve, reject) => {
    player.onloadedmetadata = () => resolve(player.duration)
    player.onerror = () => reject(new Error('The audio cannot be played'))
    player.src = url
  })
  player.removeAttribute('src')
  const bytes = await readMedia(url, 0, new AbortController().signal)
  if (!bytes) throw new Error('The audio cannot be read')
  const context = new OfflineAudioContext(1, 1, 48_000)
  const audio = await context.decodeAudioData(bytes)
  const peak = audio.getChannelData(0).reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  return { seconds, peak }
}

function makesCode(): boolean {
  try {
    // The page's policy refuses this; if it does not, the page can run code from text.
    return typeof Reflect.construct(Function, ['return 1']) === 'function'
  } catch {
    return false
  }
}

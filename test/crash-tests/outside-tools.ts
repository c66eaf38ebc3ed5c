import { execFileSync } from 'node:child_process'

/** Properties that an external program reads from a WAV file. */
export interface ExternalWavInfo {
  readonly channels: number
  readonly sampleRate: number
  readonly frames: number
}

/** External program that reads headers of audio files. */
export interface ExternalTool {
  readonly name: string
  /** Throws if it rejects the file or reports any problem. */
  read(path: string): ExternalWavInfo
}

/** Returns soxi or ffprobe; null if neither is installed. */
export function externalTool(): ExternalTool | null {
  return [soxi, ffprobe].find(({ name }) => isThere(name)) ?? null
}

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

function isThere(name: string): boolean {
  try {
    run('which', [name])
    return true
  } catch {
    return false
  }
}

const soxi: ExternalTool = {
  name: 'soxi',
  read(path) {
    const ask = (what: string): number => Number(run('soxi', [what, path]))
    return { channels: ask('-c'), sampleRate: ask('-r'), frames: ask('-s') }
  },
}

const ffprobe: ExternalTool = {
  name: 'ffprobe',
  read(path) {
    const entries = 'stream=channels,sample_rate,duration_ts'
    const args = ['-v', 'error', '-show_entries', entries, '-of', 'json', path]
    const read = JSON.parse(run('ffprobe', args)) as {
      readonly streams: readonly Record<string, string | number>[]
    }
    const [stream = {}] = read.streams
    const { channels, sample_rate: sampleRate, duration_ts: frames } = stream
    return { channels: Number(channels), sampleRate: Number(sampleRate), frames: Number(frames) }
  },
}

import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { speakMeeting } from '../../test/fixtures/spoken-meeting.ts'
import { timed } from '../row.ts'

const run = promisify(execFile)

/** Seconds of generated speech; longer audio repeats it. */
const spokenSeconds = 600

/**
 * Ten minutes of two people taking turns in a room (20 dB above its noise), as the mp3 most recorders write: 44.1 kHz, stereo,
 * 128 kbit/s. Its frames can be concatenated. Needs ffmpeg, which our decoder is also compared with.
 */
export async function spokenMp3(folder: string): Promise<string> {
  const kind = { seconds: spokenSeconds, seed: 5, snr: 20, goesOn: 0.6 }
  const { channels } = await speakMeeting({ ...kind, pauses: [200, 900] })
  const [left = new Int16Array(0), right = left] = channels
  const frames = Int16Array.from({ length: left.length * 2 }, (_, i) => {
    return (i % 2 === 0 ? left : right)[i >> 1] ?? 0
  })
  const raw = join(folder, 'spoken.raw')
  writeFileSync(raw, new Uint8Array(frames.buffer))
  const to = join(folder, 'spoken.mp3')
  const from = ['-f', 's16le', '-ar', '16000', '-ac', '2', '-i', raw]
  const plain = ['-ar', '44100', '-b:a', '128k', '-write_xing', '0', '-id3v2_version', '0']
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...from, ...plain, to])
  return to
}

/** Repeats the mp3 to the given number of hours. */
export function longMp3(spoken: string, hours: number, to: string): string {
  const bytes = readFileSync(spoken)
  writeFileSync(to, '')
  for (let left = (hours * 3600) / spokenSeconds; left > 0; left--) appendFileSync(to, bytes)
  return to
}

/** Milliseconds of native ffmpeg on one core: for decoding alone, and for writing what an import writes, a wav file of 16 kHz. */
export async function ffmpegTimes(
  path: string,
  to: string,
): Promise<{ readonly decode: number; readonly same: number }> {
  const from = ['-v', 'error', '-y', '-threads', '1', '-i', path]
  return {
    decode: await timed(() => run('ffmpeg', [...from, '-f', 'null', '-'])),
    same: await timed(() => run('ffmpeg', [...from, '-ar', '16000', '-c:a', 'pcm_s16le', to])),
  }
}

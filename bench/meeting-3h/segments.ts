import { fileURLToPath } from 'node:url'
import type {
  ActivityAnswer,
  ActivityRequest,
} from '../../src/main/platform/audio/voice-activity/activity.ts'
import { createWorkerClient, type WorkerClient } from '../../src/main/platform/workers/client.ts'
import { against, median, type Row } from '../row.ts'

const modelsDir = fileURLToPath(new URL('../../resources/models', import.meta.url))

/** Milliseconds of each channel that the plain detector processes. */
const plainMs = 300_000

const runs = 3

type Client = WorkerClient<ActivityRequest, ActivityAnswer | null>

/** Segments both channels up to a position; returns milliseconds of audio per millisecond. */
async function speedOf(
  client: Client,
  folder: string,
  live: boolean,
  limitMs: number,
): Promise<{ readonly speed: number; readonly segments: number }> {
  const start = performance.now()
  let scannedMs = 0
  let segments = 0
  for (const channel of [0, 1]) {
    let place = { fromMs: 0, forced: false }
    for (;;) {
      const maxMs = Math.min(live ? 60_000 : 300_000, limitMs)
      const request = { folder, channel, ...place, last: true, live, maxMs }
      const answer = await client.call({ type: 'inspect', ...request })
      if (!answer || answer.gateAlone) throw new Error('the voice activity model is missing')
      segments += answer.segments.length
      place = { fromMs: answer.analysedMs, forced: answer.forced }
      if (answer.done || answer.analysedMs >= limitMs) break
    }
    scannedMs += place.fromMs
  }
  await client.call({ type: 'forget', folder })
  return { speed: scannedMs / (performance.now() - start), segments }
}

/** Segments a session of two channels as imports do, compared with the detector on every frame of its first minutes. */
export async function segmentRows(folder: string, hours: number): Promise<Row[]> {
  const client: Client = createWorkerClient({
    url: new URL('../../src/main/workers/voice-activity.ts', import.meta.url),
    name: 'Voice activity detection',
    data: { modelsDir },
  })
  try {
    const ours: number[] = []
    const plain: number[] = []
    let found = 0
    // The first, short run loads the model.
    await speedOf(client, folder, false, 60_000)
    for (let run = 0; run < runs; run++) {
      plain.push((await speedOf(client, folder, true, plainMs)).speed)
      const { speed, segments } = await speedOf(client, folder, false, hours * 3_600_000)
      ours.push(speed)
      found = segments
    }
    return [
      against(
        {
          name: `${found} segments found, ${hours} h of two channels`,
          figure: median(ours),
          unit: 'x real time',
        },
        `Silero on every frame, first ${plainMs / 60_000} min of each channel`,
        median(plain),
      ),
    ]
  } finally {
    await client.close()
  }
}

import {
  captureFrameHeader,
  type CaptureReply,
} from '../../../../../../src/shared/contract/transport.ts'
import type { Reply } from '../../../../../../src/shared/contract/reply.ts'
import {
  type Capture,
  type CaptureDeps,
  type CaptureProgress,
  createCapture,
} from '../../../../../../src/main/domains/audio/service/recording/capture.ts'
import { workerUrl } from '../../../../../fixtures/worker-url.ts'

/** Capture with its real worker over a folder of the test. */
export function startCapture(
  home: string,
  changes: Partial<CaptureDeps> = {},
): {
  readonly capture: Capture
  readonly progress: CaptureProgress[]
  readonly problems: string[]
} {
  const progress: CaptureProgress[] = []
  const problems: string[] = []
  const capture = createCapture({
    home,
    workerUrl,
    clock: Date.now,
    log: {
      info: () => {},
      warn: (message) => void problems.push(message),
      error: (message) => void problems.push(message),
    },
    run: 'run-1',
    redact: (text) => text,
    onProgress: (update) => void progress.push(update),
    // Independent of the free disk space of the test machine.
    reserveBytes: 0,
    ...changes,
  })
  return { capture, progress, problems }
}

/** A recording of two channels. */
export const recording = (id: string, sampleRate = 8000) => ({
  id,
  title: `Meeting ${id}`,
  roles: ['mic', 'others'] as const,
  sampleRate,
  labels: ['Built-in', 'System'],
  startedAt: 1_700_000_000_000,
})

/** The request a page sends for a block. */
export const blockRequest = (id: string, frame: string | null, body: Uint8Array): Request =>
  new Request(`http://127.0.0.1/capture/${id}`, {
    method: 'PUT',
    headers: frame === null ? {} : { [captureFrameHeader]: frame },
    body: Uint8Array.from(body),
  })

/** Sends a block and returns the response envelope. */
export async function put(
  capture: Capture,
  id: string,
  frame: string | number | null,
  body: Uint8Array,
): Promise<Reply<CaptureReply>> {
  const header = frame === null ? null : String(frame)
  const response = await capture.take(blockRequest(id, header, body), id)
  return (await response.json()) as Reply<CaptureReply>
}

/** Sends a request below the media address. */
export const ask = (
  capture: Capture,
  name: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Response> => {
  const request = new Request(`http://127.0.0.1/media/${name}`, { method, headers })
  return capture.respond(request, new URL(request.url).pathname.slice('/media/'.length))
}

/** The bytes of a response. */
export const bytesOf = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer())

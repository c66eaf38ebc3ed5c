import { workerData } from 'node:worker_threads'
import { createRecorder } from '../../../../../../src/main/domains/audio/worker/recorder.ts'
import type {
  RecorderReply,
  RecorderRequest,
} from '../../../../../../src/main/domains/audio/worker/recorder-messages.ts'
import { serve } from '../../../../../../src/main/platform/workers/serve-worker.ts'

const { reserveBytes } = workerData as { readonly reserveBytes: number }
const recorder = createRecorder({ now: Date.now, reserveBytes })
let left = 7

// The recorder's program, which crashes now and then, before or after it handled a request.
serve<RecorderRequest, RecorderReply>((request) => {
  left -= 1
  if (left === 0) process.exit(1)
  const answer = recorder(request)
  if (left === 1 && request.type === 'write' && request.frame > 5000) process.exit(1)
  return answer
})

import { workerData } from 'node:worker_threads'
import type {
  RecorderReply,
  RecorderRequest,
  RecorderSettings,
} from '../domains/audio/worker/recorder-messages.ts'
import { createRecorder } from '../domains/audio/worker/recorder.ts'
import { serve } from '../platform/workers/serve-worker.ts'

const recorder = createRecorder({ now: Date.now, ...(workerData as RecorderSettings) })

serve<RecorderRequest, RecorderReply>(recorder)

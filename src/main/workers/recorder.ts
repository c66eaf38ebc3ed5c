import { workerData } from 'node:worker_threads'
import type {
  RecorderReply,
  RecorderRequest,
  RecorderSettings,
} from '../sound/recorder-messages.ts'
import { createRecorder } from '../sound/recorder.ts'
import { serve } from './serve.ts'

const recorder = createRecorder({ now: Date.now, ...(workerData as RecorderSettings) })

serve<RecorderRequest, RecorderReply>(recorder)

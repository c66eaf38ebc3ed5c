import { workerData } from 'node:worker_threads'
import type {
  RecorderReply,
  RecorderRequest,
  RecorderSettings,
} from '../audio/recorder-messages.ts'
import { createRecorder } from '../audio/recorder.ts'
import { serve } from './serve.ts'

const recorder = createRecorder({ now: Date.now, ...(workerData as RecorderSettings) })

serve<RecorderRequest, RecorderReply>(recorder)

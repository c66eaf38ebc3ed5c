import { workerData } from 'node:worker_threads'
import type { RecorderReply, RecorderRequest } from '../sound/recorder-messages.ts'
import { createRecorder } from '../sound/recorder.ts'
import { serve } from './serve.ts'

const { reserveBytes } = workerData as { readonly reserveBytes: number }
const recorder = createRecorder({ now: Date.now, reserveBytes })

serve<RecorderRequest, RecorderReply>(recorder)

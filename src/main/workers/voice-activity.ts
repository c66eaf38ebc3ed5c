import { workerData } from 'node:worker_threads'
import {
  type ActivityAnswer,
  type ActivityRequest,
  createActivity,
} from '../platform/audio/voice-activity/activity.ts'
import { openSession } from '../platform/audio/session-reader.ts'
import { serve } from '../platform/workers/serve-worker.ts'

// Detects voice activity in a worker: one session after the other, in small steps.
const { modelsDir } = workerData as { readonly modelsDir: string }
const activity = createActivity({ modelsDir, openSession })

serve<ActivityRequest, ActivityAnswer | null>((request) => activity.answer(request))

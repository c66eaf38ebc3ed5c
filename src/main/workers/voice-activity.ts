import { workerData } from 'node:worker_threads'
import { createActivity } from '../platform/audio/voice-activity/activity.ts'
import type { ActivityAnswer, ActivityRequest } from '../platform/audio/activity-messages.ts'
import { openSession } from '../platform/audio/session-reader.ts'
import { serve } from '../platform/workers/serve-worker.ts'

// Detects voice activity in a worker: one session after the other, in small steps.
const { modelsDir } = workerData as { readonly modelsDir: string }
const activity = createActivity({ modelsDir, openSession })

serve<ActivityRequest, ActivityAnswer | null>((request) => activity.answer(request))

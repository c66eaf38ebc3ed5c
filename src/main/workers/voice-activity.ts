import { workerData } from 'node:worker_threads'
import { createActivity } from '../audio/voice-activity/activity.ts'
import type { ActivityAnswer, ActivityRequest } from '../audio/activity-messages.ts'
import { openSession } from '../audio/session-reader.ts'
import { serve } from './serve.ts'

// Detects voice activity in a worker: one session after the other, in small steps.
const { modelsDir } = workerData as { readonly modelsDir: string }
const activity = createActivity({ modelsDir, openSession })

serve<ActivityRequest, ActivityAnswer | null>((request) => activity.answer(request))

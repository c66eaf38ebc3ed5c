// Voice activity worker that crashes or fails a number of times before it works; the remaining faults are in a file next to the
// session.
import { readFileSync, writeFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import {
  type ActivityAnswer,
  type ActivityRequest,
  createActivity,
} from '../../../../../src/main/platform/audio/voice-activity/activity.ts'
import { openSession } from '../../../../../src/main/platform/audio/session-reader.ts'
import { serve } from '../../../../../src/main/platform/workers/serve-worker.ts'

const { modelsDir } = workerData as { readonly modelsDir: string }
const activity = createActivity({ modelsDir, openSession })

serve<ActivityRequest, ActivityAnswer | null>((request) => {
  const plan = `${request.folder}.plan`
  const left = readFileSync(plan, 'utf8').split(' ').filter(Boolean)
  const next = left.shift()
  writeFileSync(plan, left.join(' '))
  if (next === 'die') process.exit(3)
  if (next === 'fail') throw new Error('the detector is not well')
  return activity.answer(request)
})

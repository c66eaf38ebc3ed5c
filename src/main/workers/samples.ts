import { workerData } from 'node:worker_threads'
import {
  memoryOf,
  type SampleAnswer,
  type SampleRequest,
} from '../domains/voices/worker/sample/messages.ts'
import { createSampleProgram } from '../domains/voices/worker/sample/sample-program.ts'
import { serve } from '../platform/workers/serve-worker.ts'

/** Worker for voice samples: decodes, analyzes and fixes them. */
serve<SampleRequest, SampleAnswer>(createSampleProgram(String(workerData)), { memoryOf })

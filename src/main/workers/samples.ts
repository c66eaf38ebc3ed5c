import { workerData } from 'node:worker_threads'
import { memoryOf, type SampleAnswer, type SampleRequest } from '../audio/sample/messages.ts'
import { createSampleProgram } from '../audio/sample/program.ts'
import { serve } from './serve.ts'

/** Worker for voice samples: decodes, analyzes and fixes them. */
serve<SampleRequest, SampleAnswer>(createSampleProgram(String(workerData)), { memoryOf })

import { workerData } from 'node:worker_threads'
import { memoryOf, type SampleAnswer, type SampleRequest } from '../sound/sample/messages.ts'
import { createSampleProgram } from '../sound/sample/program.ts'
import { serve } from './serve.ts'

/** Samples of voices: decodes them, looks through them, puts them right. */
serve<SampleRequest, SampleAnswer>(createSampleProgram(String(workerData)), { memoryOf })

import { workerData } from 'node:worker_threads'
import { memoryOf, type SampleAnswer, type SampleRequest } from '../audio/sample/messages.ts'
import { createSampleProgram } from '../audio/sample/program.ts'
import { serve } from './serve.ts'

/** Samples of voices: decodes them, looks through them, puts them right. */
serve<SampleRequest, SampleAnswer>(createSampleProgram(String(workerData)), { memoryOf })

import type { WorkerUrl } from '../../deps.ts'
import { createSpeech } from './speech.ts'
import { createSpeechOutputWorker } from './speech-output-worker.ts'
import type { SpeakingParts, SpeechService } from './types.ts'

/** What everything about speeches is built from. */
export type AllSpeechDeps = Omit<SpeakingParts, 'spoken'> & { readonly workerUrl: WorkerUrl }

/** Builds it: the use case, and the program that works on its sound. */
export const createAllSpeech = (deps: AllSpeechDeps): SpeechService =>
  createSpeech({ ...deps, spoken: createSpeechOutputWorker(deps.workerUrl) })

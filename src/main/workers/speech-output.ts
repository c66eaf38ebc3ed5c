import {
  createSpeechOutputProgram,
  type SpeechOutputAnswer,
  type SpeechOutputRequest,
} from '../domains/voices/worker/speech-output/speech-output-program.ts'
import { serve } from '../platform/workers/serve-worker.ts'

// Splits long texts, analyzes takes, cuts them for transcription, joins and encodes them without blocking others.
// The decoders print a line for every damaged packet; errors are reported in the responses.
for (const say of ['log', 'warn', 'error'] as const) console[say] = () => {}

serve<SpeechOutputRequest, SpeechOutputAnswer>(createSpeechOutputProgram(), {
  memoryOf: (answer) =>
    answer.type === 'hear'
      ? answer.clips.map(({ bytes }) => bytes.buffer)
      : answer.type === 'cut'
        ? [answer.cuts.buffer]
        : [],
})

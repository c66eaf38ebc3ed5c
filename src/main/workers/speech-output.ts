import {
  createSpeechOutputProgram,
  type SpeechOutputAnswer,
  type SpeechOutputRequest,
} from '../audio/speech-output/program.ts'
import { serve } from './serve.ts'

// Parts long texts, listens through what was spoken, cuts it for hearing, joins and encodes it where it can hold up nobody.
// The decoders print a line for every damaged packet; what went wrong is in the answers.
for (const say of ['log', 'warn', 'error'] as const) console[say] = () => {}

serve<SpeechOutputRequest, SpeechOutputAnswer>(createSpeechOutputProgram(), {
  memoryOf: (answer) =>
    answer.type === 'hear'
      ? answer.clips.map(({ bytes }) => bytes.buffer)
      : answer.type === 'cut'
        ? [answer.cuts.buffer]
        : [],
})

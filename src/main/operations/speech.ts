import { z } from 'zod'
import { limits } from '../../shared/provider/limits.ts'
import type { SpeechRequest } from '../provider-client/speech.ts'
import { id, text } from './fields.ts'
import { callOptions, operation } from './operation.ts'

const { chars, minSpeed, maxSpeed, maxVolume } = limits.speech

const baseFields = z.strictObject({
  input: text().describe(`Text to speak, up to ${chars} characters`),
  voice: id().describe('ID of a cloned or official voice'),
  speed: z.number().describe(`${minSpeed}–${maxSpeed}`).exactOptional(),
  volume: z.number().describe(`Above 0, up to ${maxVolume}`).exactOptional(),
  watermark: z.boolean().exactOptional(),
})

/** Text to speech (service-notes 3). */
export const speech = {
  'speech.create': operation(
    {
      spec: '3',
      summary: 'Generates speech as an audio file.',
      writes: 'speech.wav',
    },
    baseFields.extend({ format: z.enum(['wav', 'pcm']).describe('Default: wav').exactOptional() }),
    async (context, input) => {
      const to = await context.output(input.format === 'pcm' ? 'speech.pcm' : 'speech.wav')
      const request: SpeechRequest = { ...input, to }
      return context.api.speech.create(context.target, request, callOptions(context))
    },
  ),
  'speech.stream': operation(
    {
      spec: '3',
      summary: 'Streams speech as Base64 16-bit mono PCM.',
      streams: true,
      writes: 'speech.pcm',
    },
    baseFields,
    async (context, input) =>
      context.api.speech.stream(
        context.target,
        { ...input, to: await context.output('speech.pcm') },
        {
          ...callOptions(context),
          onAudio(pcm, sampleRate) {
            const { buffer, byteOffset, byteLength } = pcm
            const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64')
            const event = { type: 'audio', sampleRate, pcm: base64 } as const
            context.onEvent(event)
          },
        },
      ),
  ),
} as const

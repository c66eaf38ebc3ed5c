import { z } from 'zod'
import { limits } from '../../shared/provider/limits.ts'
import { wireModel } from '../../shared/provider/profiles.ts'
import { noUsage } from '../provider-client/usage.ts'
import { readAudioHeader } from '../platform/files/audio-header.ts'
import { file, text, userId } from './fields.ts'
import { callOptions, operation } from './operation.ts'

const { bytes, seconds, hotwords, promptChars } = limits.transcription

/** Speech to text (service-notes 4). */
export const transcriptions = {
  'transcriptions.create': operation(
    { spec: '4', summary: 'Transcribes speech.', streams: true, takes: ['file'] },
    z.strictObject({
      file: file().describe(`WAV or MP3, up to ${bytes} bytes and ${seconds} seconds`),
      prompt: z
        .string()
        .max(1_000_000)
        .describe(`Previous transcript, up to ${promptChars} characters`)
        .exactOptional(),
      hotwords: z.array(text()).describe(`Up to ${hotwords} terms`).exactOptional(),
      userId: userId(),
      stream: z.boolean().describe('Streams text. Default: true').exactOptional(),
    }),
    async (context, input) => {
      const audio = await context.file(input.file)
      const { mime, seconds: length } = await readAudioHeader(audio.path)
      const answer = await context.api.transcriptions.create(
        context.target,
        {
          file: { path: audio.path, bytes: audio.bytes, name: audio.name, mime, seconds: length },
          prompt: input.prompt ?? '',
          hotwords: input.hotwords ?? [],
          stream: input.stream ?? true,
          ...(input.userId !== undefined && { userId: input.userId }),
        },
        {
          ...callOptions(context),
          onDelta(delta) {
            const event = { type: 'delta', text: delta } as const
            context.onEvent(event)
          },
        },
      )
      const requestedModel = wireModel(context.target.profile, 'gen-asr-2512')
      return {
        value: { text: answer.text, noSpeech: answer.noSpeech, model: answer.model },
        requestId: answer.requestId ?? '',
        engine: answer.model === requestedModel ? null : answer.model,
        notice: answer.notice,
        usage: noUsage,
        raw: answer.raw,
      }
    },
  ),
} as const

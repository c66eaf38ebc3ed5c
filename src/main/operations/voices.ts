import { z } from 'zod'
import { id, text } from './fields.ts'
import { callOptions, operation } from './operation.ts'

/** Voices (service-notes 3). */
export const voices = {
  'voices.clone': operation(
    {
      spec: '3',
      summary: 'Clones a voice from an uploaded sample (purpose: voice-clone-input).',
      creates: true,
    },
    z.strictObject({
      voiceName: text().describe('Must be unique'),
      input: text().describe('Preview text'),
      fileId: id().describe('ID of the uploaded sample; 3–30 seconds recommended'),
      text: text().describe('Sample transcript').exactOptional(),
    }),
    (context, input) => context.api.voices.clone(context.target, input, callOptions(context)),
  ),
  'voices.list': operation(
    { spec: '3', summary: 'Lists voices.' },
    z.strictObject({
      name: text().describe('Part of the name').exactOptional(),
      type: z.enum(['PRIVATE', 'OFFICIAL']).exactOptional(),
    }),
    (context, input) => context.api.voices.list(context.target, input, callOptions(context)),
  ),
  'voices.delete': operation(
    { spec: '3', summary: 'Deletes a cloned voice.' },
    z.strictObject({ voice: id().describe('Voice ID') }),
    (context, input) => context.api.voices.delete(context.target, input, callOptions(context)),
  ),
} as const

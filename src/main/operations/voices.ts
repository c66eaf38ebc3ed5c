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
      voiceName: text().describe('A name no other voice of yours has'),
      input: text().describe('What the preview says'),
      fileId: id().describe('Id of the uploaded sample; 3 to 30 seconds are recommended'),
      text: text().describe('What the sample says').exactOptional(),
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
    z.strictObject({ voice: id().describe('Id of the voice') }),
    (context, input) => context.api.voices.delete(context.target, input, callOptions(context)),
  ),
} as const

import { z } from 'zod'
import { id, text } from './fields.ts'
import { operation, callOf } from './operation.ts'

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
    callOf((api) => api.voices.clone),
  ),
  'voices.list': operation(
    { spec: '3', summary: 'Lists voices.' },
    z.strictObject({
      name: text().describe('Part of the name').exactOptional(),
      type: z.enum(['PRIVATE', 'OFFICIAL']).exactOptional(),
    }),
    callOf((api) => api.voices.list),
  ),
  'voices.delete': operation(
    { spec: '3', summary: 'Deletes a cloned voice.' },
    z.strictObject({ voice: id().describe('Voice ID') }),
    callOf((api) => api.voices.delete),
  ),
} as const

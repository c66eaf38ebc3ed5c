import { z } from 'zod'
import { limits } from '../../shared/provider/limits.ts'
import { file, id, onlyId } from './fields.ts'
import { callOptions, operation, callOf } from './operation.ts'

const purpose = () =>
  z.enum([
    'batch',
    'code-interpreter',
    'agent',
    'voice-clone-input',
    'file-extract',
    'assistant',
    'retrieval',
    'fine-tune',
  ])

/** The file API (service-notes 2). */
export const files = {
  'files.upload': operation(
    {
      spec: '2',
      summary: 'Uploads a file.',
      creates: true,
      takes: ['file'],
    },
    z.strictObject({
      file: file().describe(
        `Types and sizes depend on the purpose; voice samples: WAV or MP3, up to ${limits.voiceClone.bytes} bytes`,
      ),
      purpose: purpose(),
    }),
    async (context, input) =>
      context.api.files.upload(
        context.target,
        { file: await context.file(input.file), purpose: input.purpose },
        callOptions(context),
      ),
  ),
  'files.list': operation(
    { spec: '2', summary: 'Lists files by purpose.' },
    z.strictObject({
      purpose: purpose(),
      limit: z.int().min(1).describe(`Up to ${limits.list.pageSize}`).exactOptional(),
      after: id().describe('Last file of the previous page').exactOptional(),
    }),
    callOf((api) => api.files.list),
  ),
  'files.delete': operation(
    { spec: '2', summary: 'Deletes a file.' },
    onlyId('The uploaded file'),
    callOf((api) => api.files.delete),
  ),
  'files.content': operation(
    { spec: '2', summary: 'Downloads a file.', writes: 'content.bin' },
    onlyId('The file'),
    async (context, input) =>
      context.api.files.content(
        context.target,
        { id: input.id, to: await context.output('content.bin') },
        callOptions(context),
      ),
  ),
} as const

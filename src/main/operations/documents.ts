import { z } from 'zod'
import { limits } from '../../shared/provider/limits.ts'
import { count, file, id, onlyId, page, text } from './fields.ts'
import { callOptions, operation, callOf } from './operation.ts'

const slicing = {
  knowledgeType: z
    .literal([1, 2, 3, 5, 6, 7])
    .describe(
      '1 by heading, 2 questions and answers, 3 by row, 5 custom separators, 6 by page, 7 whole document',
    ),
  separators: z.array(text()).describe('For type 5').exactOptional(),
  sentenceSize: z
    .int()
    .min(1)
    .describe(`For type 5: ${limits.slicing.minChars}–${limits.slicing.maxChars} characters`)
    .exactOptional(),
} as const

/** Documents of a knowledge base (service-notes 7). */
export const documents = {
  'documents.upload': operation(
    {
      spec: '7',
      summary: 'Uploads files to a knowledge base.',
      creates: true,
      takes: ['files'],
    },
    z.strictObject({
      knowledgeId: id(),
      files: z.array(file()).min(1).max(1000),
      ...slicing,
      parseImages: z.boolean().exactOptional(),
      wordLimit: count().exactOptional(),
    }),
    async (context, { files, ...input }) =>
      context.api.documents.upload(
        context.target,
        { ...input, files: await Promise.all(files.map((each) => context.file(each))) },
        callOptions(context),
      ),
  ),
  'documents.uploadUrls': operation(
    { spec: '7', summary: 'Adds documents by URL.', creates: true },
    z.strictObject({
      knowledgeId: id(),
      urls: z
        .array(z.strictObject({ url: z.string().min(1).max(8192), ...slicing }))
        .min(1)
        .describe('{"url":"https://…","knowledgeType":1}, one or more'),
    }),
    callOf((api) => api.documents.uploadUrls),
  ),
  'documents.list': operation(
    { spec: '7', summary: 'Lists documents in a knowledge base.' },
    z.strictObject({
      knowledgeId: id(),
      page: page().describe('From 1').exactOptional(),
      size: page().describe(`Up to ${limits.list.pageSize}`).exactOptional(),
      word: text().describe('Part of the name').exactOptional(),
    }),
    callOf((api) => api.documents.list),
  ),
  'documents.get': operation(
    { spec: '7', summary: 'Returns a document and its embedding progress.' },
    onlyId('The document'),
    callOf((api) => api.documents.get),
  ),
  'documents.delete': operation(
    { spec: '7', summary: 'Deletes a document.' },
    onlyId('The document'),
    callOf((api) => api.documents.delete),
  ),
  'documents.embed': operation(
    {
      spec: '7',
      summary: 'Embeds a document again.',
      creates: true,
    },
    onlyId('The document'),
    callOf((api) => api.documents.embed),
  ),
  'documents.images': operation(
    { spec: '7', summary: 'Lists images in a document’s chunks.' },
    onlyId('The document'),
    callOf((api) => api.documents.images),
  ),
} as const

import { expect } from 'vitest'
import { done, events, json, requestIdLimits, untyped, userIdLimits } from '../row.ts'
import type { Row, Run } from '../row.ts'

const usage = { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 }
const vector = (size: number, seed = 1): readonly number[] =>
  Array.from({ length: size }, (_, i) => ((i * seed) % 7) / 8)
const embedded = (count: number, size: number, order = [...Array(count).keys()]): unknown => ({
  model: 'embedding-3',
  object: 'list',
  data: order.map((index) => ({ index, object: 'embedding', embedding: vector(size, index + 1) })),
  usage,
})
const floats = (size: number, seed = 1): Float64Array => Float64Array.from(vector(size, seed))
const many = (count: number, chars = 1): readonly string[] =>
  Array.from({ length: count }, () => 'x'.repeat(chars))
const ranked = (results: unknown): unknown => ({
  id: 'r',
  results,
  usage,
  created: 1_780_000_000,
  request_id: 'from-service',
})

/** Returns words separated by spaces: no tokenizer produces fewer tokens than words. */
const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ')
const embed =
  (model: 'embedding-2' | 'embedding-3', input: readonly string[]): Run =>
  ({ api, target }, o) =>
    api.embeddings.create(target(), { model, input }, o)
const parseImage =
  (userId: string): Run =>
  ({ api, target, file }, o) =>
    api.layout.parse(
      target(),
      { source: { file: file('a.png', 100, 'image/png'), mime: 'image/png', pages: null }, userId },
      o,
    )
const transcribe =
  (userId: string): Run =>
  ({ api, target, audio }, o) =>
    api.transcriptions.create(
      target(),
      { file: audio(), prompt: '', hotwords: [], stream: false, userId },
      o,
    )

/** Rows of rerank and embeddings. */
export const modelRows: readonly Row[] = [
  {
    name: 'rerank.create',
    run: ({ api, target }, options) =>
      api.rerank.create(
        target(),
        {
          query: 'q',
          documents: ['a', 'b'],
          topN: 2,
          returnDocuments: true,
          returnRawScores: true,
          userId: 'user-01',
        },
        options,
      ),
    url: '/paas/v4/rerank',
    json: {
      model: 'rerank',
      query: 'q',
      documents: ['a', 'b'],
      top_n: 2,
      return_documents: true,
      return_raw_scores: true,
      request_id: 'request-0001',
      user_id: 'user-01',
    },
    happy: {
      name: 'results with their texts',
      reply: json(
        ranked([
          { document: 'b', index: 1, relevance_score: 0.9 },
          { document: 'a', index: 0, relevance_score: 0.1 },
        ]),
      ),
      value: [
        { index: 1, score: 0.9, document: 'b' },
        { index: 0, score: 0.1, document: 'a' },
      ],
    },
    odd: [
      {
        name: 'no document in the response',
        reply: untyped(ranked([{ index: 1, relevance_score: 12.5 }])),
        value: [{ index: 1, score: 12.5, document: 'b' }],
      },
      {
        name: 'a single result, not in a list',
        reply: json(ranked({ index: 0, relevance_score: 0.5, document: '' })),
        value: [{ index: 0, score: 0.5, document: 'a' }],
      },
    ],
    limits: [
      {
        what: 'query',
        edge: ({ api, target }, o) =>
          api.rerank.create(target(), { query: 'x'.repeat(4096), documents: ['a', 'b'] }, o),
        over: ({ api, target }, o) =>
          api.rerank.create(target(), { query: 'x'.repeat(4097), documents: ['a', 'b'] }, o),
        limit: 4096,
        value: 4097,
      },
      {
        what: 'documents',
        edge: ({ api, target }, o) =>
          api.rerank.create(target(), { query: 'q', documents: many(128) }, o),
        over: ({ api, target }, o) =>
          api.rerank.create(target(), { query: 'q', documents: many(129) }, o),
        limit: 128,
        value: 129,
      },
      {
        what: 'one document',
        edge: ({ api, target }, o) =>
          api.rerank.create(target(), { query: 'q', documents: ['a', 'x'.repeat(4096)] }, o),
        over: ({ api, target }, o) =>
          api.rerank.create(target(), { query: 'q', documents: ['a', 'x'.repeat(4097)] }, o),
        limit: 4096,
        value: 4097,
      },
      ...requestIdLimits(({ api, target }, o) =>
        api.rerank.create(target(), { query: 'q', documents: ['a', 'b'] }, o),
      ),
    ],
  },
  {
    name: 'embeddings.create',
    run: ({ api, target }, o) =>
      api.embeddings.create(
        target(),
        { model: 'embedding-3', input: ['a', 'b'], dimensions: 256 },
        o,
      ),
    url: '/paas/v4/embeddings',
    json: { model: 'embedding-3', input: ['a', 'b'], dimensions: 256 },
    happy: {
      name: 'vectors',
      reply: json(embedded(2, 256)),
      value: { vectors: [floats(256, 1), floats(256, 2)] },
    },
    odd: [
      {
        name: 'in another order',
        reply: untyped(embedded(2, 256, [1, 0])),
        value: { vectors: [floats(256, 1), floats(256, 2)] },
      },
      {
        name: 'a single vector, not in a list',
        reply: json({ model: 'embedding-3', data: { index: 0, embedding: vector(256) } }),
        value: { vectors: [floats(256)] },
        run: ({ api, target }, o) =>
          api.embeddings.create(
            target(),
            { model: 'embedding-3', input: ['a'], dimensions: 256 },
            o,
          ),
      },
    ],
    limits: [
      {
        what: 'items',
        edge: ({ api, target }, o) =>
          api.embeddings.create(target(), { model: 'embedding-3', input: many(64) }, o),
        over: ({ api, target }, o) =>
          api.embeddings.create(target(), { model: 'embedding-3', input: many(65) }, o),
        limit: 64,
        value: 65,
      },
      {
        what: 'tokens of embedding-3',
        edge: embed('embedding-3', [words(3072)]),
        over: embed('embedding-3', [words(3073)]),
        limit: 3072,
        value: 3073,
      },
      {
        what: 'tokens of embedding-2',
        edge: embed('embedding-2', [words(512)]),
        over: embed('embedding-2', [words(513)]),
        limit: 512,
        value: 513,
      },
      {
        what: 'tokens of all texts, embedding-2',
        edge: embed(
          'embedding-2',
          Array.from({ length: 16 }, () => words(512)),
        ),
        over: embed('embedding-2', [...Array.from({ length: 16 }, () => words(512)), 'word']),
        limit: 8192,
        value: 8193,
      },
      {
        what: 'dimensions',
        code: 'INVALID_INPUT',
        edge: ({ api, target }, o) =>
          api.embeddings.create(
            target(),
            { model: 'embedding-3', input: ['a'], dimensions: 2048 },
            o,
          ),
        over: ({ api, target }, o) =>
          api.embeddings.create(
            target(),
            { model: 'embedding-3', input: ['a'], dimensions: 300 },
            o,
          ),
      },
      {
        what: 'dimensions of embedding-2',
        code: 'INVALID_INPUT',
        edge: ({ api, target }, o) =>
          api.embeddings.create(
            target(),
            { model: 'embedding-2', input: ['a'], dimensions: 1024 },
            o,
          ),
        over: ({ api, target }, o) =>
          api.embeddings.create(
            target(),
            { model: 'embedding-2', input: ['a'], dimensions: 2048 },
            o,
          ),
      },
    ],
  },
  {
    name: 'transcriptions.create',
    run: ({ api, target, audio }, o) =>
      api.transcriptions.create(
        target(),
        { file: audio(), prompt: 'before', hotwords: ['one', 'two'], stream: false },
        o,
      ),
    url: '/paas/v4/audio/transcriptions',
    texts: [
      ['model', 'glm-asr-2512'],
      ['stream', 'false'],
      ['request_id', 'request-0001'],
      ['prompt', 'before'],
      ['hotwords', 'one'],
      ['hotwords', 'two'],
    ],
    happy: {
      name: 'a text',
      reply: json({
        id: 'a',
        created: 1,
        request_id: 'from-service',
        model: 'glm-asr-2512',
        text: 'words',
      }),
      value: { text: 'words' },
    },
    odd: [
      {
        name: 'a stream, done repeats the text',
        reply: events(
          [
            { type: 'transcript.text.delta', delta: 'wor' },
            { type: 'transcript.text.delta', delta: 'ds' },
            { type: 'transcript.text.done', text: 'words' },
          ],
          done,
        ),
        value: { text: 'words' },
      },
      {
        name: 'a leading line break',
        reply: untyped({ text: '\nwords' }),
        value: { text: 'words' },
      },
    ],
    limits: [
      ...requestIdLimits(transcribe('user-01')),
      ...userIdLimits(transcribe),
      {
        what: 'bytes',
        code: 'FILE_TOO_LARGE',
        edge: ({ api, target, audio }, o) =>
          api.transcriptions.create(
            target({ limits: { 'transcription.bytes': 4000 } }),
            { file: audio({ bytes: 4000 }), prompt: '', hotwords: [], stream: false },
            o,
          ),
        over: ({ api, target, audio }, o) =>
          api.transcriptions.create(
            target({ limits: { 'transcription.bytes': 4000 } }),
            { file: audio({ bytes: 4001 }), prompt: '', hotwords: [], stream: false },
            o,
          ),
        limit: 4000,
        value: 4001,
      },
      {
        what: 'seconds',
        code: 'AUDIO_TOO_LONG',
        edge: ({ api, target, audio }, o) =>
          api.transcriptions.create(
            target(),
            { file: audio({ seconds: 30 }), prompt: '', hotwords: [], stream: false },
            o,
          ),
        over: ({ api, target, audio }, o) =>
          api.transcriptions.create(
            target(),
            { file: audio({ seconds: 30.01 }), prompt: '', hotwords: [], stream: false },
            o,
          ),
        limit: 30,
        value: 30.01,
      },
      {
        what: 'hotwords',
        edge: ({ api, target, audio }, o) =>
          api.transcriptions.create(
            target(),
            { file: audio(), prompt: '', hotwords: many(100), stream: false },
            o,
          ),
        over: ({ api, target, audio }, o) =>
          api.transcriptions.create(
            target(),
            { file: audio(), prompt: '', hotwords: many(101), stream: false },
            o,
          ),
        limit: 100,
        value: 101,
      },
      {
        what: 'prompt',
        edge: ({ api, target, audio }, o) =>
          api.transcriptions.create(
            target(),
            { file: audio(), prompt: 'x'.repeat(8000), hotwords: [], stream: false },
            o,
          ),
        over: ({ api, target, audio }, o) =>
          api.transcriptions.create(
            target(),
            { file: audio(), prompt: 'x'.repeat(8001), hotwords: [], stream: false },
            o,
          ),
        limit: 8000,
        value: 8001,
      },
    ],
  },
  {
    name: 'layout.parse',
    run: ({ api, target, file }, o) =>
      api.layout.parse(
        target(),
        {
          source: {
            file: file('a.pdf', 1000, 'application/pdf'),
            mime: 'application/pdf',
            pages: 5,
          },
          startPage: 2,
          endPage: 5,
          cropImages: true,
          visualisation: true,
          userId: 'user-01',
        },
        o,
      ),
    url: '/paas/v4/layout_parsing',
    check(request, { json: body }, kit) {
      const { file: sent, ...rest } = body as { file: string }
      const wanted = {
        model: 'glm-ocr',
        return_crop_images: true,
        need_layout_visualization: true,
        start_page_id: 2,
        end_page_id: 5,
        request_id: 'request-0001',
        user_id: 'user-01',
      }
      expect(rest).toEqual(wanted)
      const { bytes } = kit.file('b.pdf', 1000, 'application/pdf')
      if (Buffer.from(sent.split(',')[1] ?? '', 'base64').length !== bytes)
        throw new Error('not the whole file')
    },
    happy: {
      name: 'pages of blocks',
      reply: json({
        id: 'l',
        created: 1_780_000_000,
        model: 'GLM-OCR',
        md_results: '# Title',
        layout_details: [
          [
            {
              index: 1,
              label: 'text',
              bbox_2d: [10, 20, 30, 40],
              content: '# Title',
              height: 2640,
              width: 2040,
            },
          ],
        ],
        data_info: { num_pages: 1, pages: [{ width: 2040, height: 2640 }] },
        usage,
        request_id: 'from-service',
      }),
      value: {
        markdown: '# Title',
        pageCount: 1,
        pageSizes: [{ width: 2040, height: 2640 }],
        pages: [
          [
            {
              index: 1,
              label: 'text',
              bbox: [10, 20, 30, 40],
              content: '# Title',
              width: 2040,
              height: 2640,
            },
          ],
        ],
      },
    },
    odd: [
      {
        name: 'nested boxes, native labels, no data_info',
        reply: untyped({
          id: 'l',
          created: 1,
          model: 'm',
          layout_details: [
            [
              {
                index: 0,
                label: 'seal',
                native_label: 'seal',
                bbox_2d: [[1, 2, 3, 4]],
                content: 'x',
              },
            ],
          ],
        }),
        value: {
          markdown: '',
          pageCount: null,
          pages: [[{ label: 'seal', nativeLabel: 'seal', bbox: [1, 2, 3, 4], width: null }]],
        },
      },
    ],
    limits: [
      ...(
        [
          ['PDF bytes', 'layout.pdfBytes', 'application/pdf'],
          ['picture bytes', 'layout.imageBytes', 'image/png'],
        ] as const
      ).map(([what, name, mime]) => {
        const parse =
          (bytes: number): Row['run'] =>
          ({ api, target, file }, o) =>
            api.layout.parse(
              target({ limits: { [name]: 3000 } }),
              { source: { file: file('a', bytes, mime), mime, pages: null } },
              o,
            )
        return {
          what,
          code: 'FILE_TOO_LARGE',
          edge: parse(3000),
          over: parse(3001),
          limit: 3000,
          value: 3001,
        }
      }),
      ...[100].map((limit) => {
        const parse =
          (pages: number): Row['run'] =>
          ({ api, target, file }, o) =>
            api.layout.parse(
              target(),
              {
                source: {
                  file: file('a.pdf', 100, 'application/pdf'),
                  mime: 'application/pdf',
                  pages,
                },
              },
              o,
            )
        return {
          what: 'pages',
          edge: parse(limit),
          over: parse(limit + 1),
          limit,
          value: limit + 1,
        }
      }),
      {
        what: 'first page',
        edge: ({ api, target, file }, o) =>
          api.layout.parse(
            target(),
            {
              source: {
                file: file('a.pdf', 100, 'application/pdf'),
                mime: 'application/pdf',
                pages: 9,
              },
              startPage: 1,
            },
            o,
          ),
        over: ({ api, target, file }, o) =>
          api.layout.parse(
            target(),
            {
              source: {
                file: file('a.pdf', 100, 'application/pdf'),
                mime: 'application/pdf',
                pages: 9,
              },
              startPage: 0,
            },
            o,
          ),
        limit: 1,
        value: 0,
      },
      ...userIdLimits(parseImage),
      ...requestIdLimits(parseImage('user-01')),
    ],
  },
]

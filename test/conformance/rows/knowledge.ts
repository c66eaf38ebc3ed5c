import { expect } from 'vitest'
import { enveloped, json } from '../row.ts'
import type { Row, Run } from '../row.ts'

const base = {
  id: 'kb-1',
  embedding_id: 11,
  name: 'Base',
  description: 'd',
  contextual: 1,
  background: 'red',
  icon: 'book',
  document_size: 2,
  length: 100,
  word_num: 50,
}
const readBase = {
  id: 'kb-1',
  embeddingId: 11,
  name: 'Base',
  contextual: true,
  background: 'red',
  icon: 'book',
  documentSize: 2,
  length: 100,
  wordNum: 50,
}
const document = {
  id: 'd1',
  knowledge_type: 1,
  custom_separator: ['\n'],
  sentence_size: 300,
  length: 10,
  word_num: 5,
  name: 'a.md',
  url: 'https://a/a.md',
  embedding_stat: 1,
}
const create =
  (name: string): Run =>
  ({ api, target }, o) =>
    api.knowledge.create(target(), { name, embeddingId: 3 }, o)
const retrieve =
  (more: object): Run =>
  ({ api, target }, o) =>
    api.knowledge.retrieve(target(), { query: 'q', knowledgeIds: ['kb-1'], ...more }, o)
const upload =
  (more: object): Run =>
  ({ api, target, file }, o) =>
    api.documents.upload(
      target(),
      { knowledgeId: 'kb-1', files: [file('a.txt', 10, 'text/plain')], knowledgeType: 5, ...more },
      o,
    )
const list =
  (size: number): Run =>
  ({ api, target }, o) =>
    api.knowledge.list(target(), { size }, o)
const pagesOf = (what: string, run: (size: number) => Run): Row['limits'][number] => ({
  what,
  edge: run(100),
  over: run(101),
  limit: 100,
  value: 101,
})

/** Rows of knowledge bases, their documents, and citation positions. */
export const knowledgeRows: readonly Row[] = [
  {
    name: 'knowledge.create',
    creating: true,
    run: ({ api, target }, o) =>
      api.knowledge.create(
        target(),
        {
          name: 'Base',
          embeddingId: 12,
          description: 'd',
          background: 'red',
          icon: 'book',
          contextual: true,
        },
        o,
      ),
    url: '/llm-application/open/knowledge',
    json: {
      name: 'Base',
      embedding_id: 12,
      embedding_model: 'Embedding-3-pro',
      description: 'd',
      background: 'red',
      icon: 'book',
      contextual: 1,
    },
    happy: { name: 'an ID', reply: enveloped({ id: 'kb-1' }), value: { id: 'kb-1' } },
    odd: [
      {
        name: 'code as text, ID as number',
        reply: json({ data: { id: 7 }, code: '200', message: '' }),
        value: { id: '7' },
      },
    ],
    limits: [
      {
        what: 'name',
        edge: create('x'.repeat(100)),
        over: create('x'.repeat(101)),
        limit: 100,
        value: 101,
      },
    ],
  },
  {
    name: 'knowledge.get',
    run: ({ api, target }, o) => api.knowledge.get(target(), { id: 'kb/1' }, o),
    url: '/llm-application/open/knowledge/kb%2F1',
    happy: { name: 'a knowledge base', reply: enveloped(base), value: readBase },
    odd: [
      {
        name: 'numbers as text, most fields missing',
        reply: enveloped({ id: 'kb-1', name: 'Base', embedding_id: '11', word_num: '50' }),
        value: { id: 'kb-1', embeddingId: 11, wordNum: 50, length: null },
      },
    ],
    limits: [],
  },
  {
    name: 'knowledge.list',
    run: ({ api, target }, o) => api.knowledge.list(target(), { page: 2, size: 20 }, o),
    url: '/llm-application/open/knowledge?page=2&size=20',
    happy: {
      name: 'knowledge bases',
      reply: enveloped({ list: [base], total: 21 }),
      value: { bases: [readBase], total: 21 },
    },
    odd: [
      {
        name: 'a single knowledge base, not in a list',
        reply: enveloped({ list: base, total: '1' }),
        value: { bases: [readBase], total: 1 },
      },
    ],
    limits: [pagesOf('page size', list)],
  },
  {
    name: 'knowledge.capacity',
    run: ({ api, target }, o) => api.knowledge.capacity(target(), {}, o),
    url: '/llm-application/open/knowledge/capacity',
    happy: {
      name: 'used and total',
      reply: enveloped({ used: { word_num: 1, length: 2 }, total: { word_num: 3, length: 4 } }),
      value: { used: { words: 1, bytes: 2 }, total: { words: 3, bytes: 4 } },
    },
    odd: [
      {
        name: 'numbers as text',
        reply: enveloped({
          used: { word_num: '1', length: '2' },
          total: { word_num: '3', length: '4' },
        }),
        value: { used: { words: 1, bytes: 2 }, total: { words: 3, bytes: 4 } },
      },
    ],
    limits: [],
  },
  {
    name: 'knowledge.update',
    creating: true,
    run: ({ api, target }, o) =>
      api.knowledge.update(
        target(),
        { id: 'kb-1', name: 'New', embeddingId: 11, contextual: false },
        o,
      ),
    url: '/llm-application/open/knowledge/kb-1',
    json: { name: 'New', embedding_id: 11, embedding_model: 'Embedding-3', contextual: 0 },
    happy: { name: 'accepted', reply: enveloped(), value: null },
    odd: [],
    limits: [
      {
        what: 'name',
        edge: ({ api, target }, o) =>
          api.knowledge.update(target(), { id: 'kb-1', name: 'x'.repeat(100) }, o),
        over: ({ api, target }, o) =>
          api.knowledge.update(target(), { id: 'kb-1', name: 'x'.repeat(101) }, o),
        limit: 100,
        value: 101,
      },
    ],
  },
  {
    name: 'knowledge.delete',
    run: ({ api, target }, o) => api.knowledge.delete(target(), { id: 'kb-1' }, o),
    url: '/llm-application/open/knowledge/kb-1',
    happy: { name: 'deleted', reply: enveloped(), value: null },
    odd: [],
    limits: [],
  },
  {
    name: 'knowledge.retrieve',
    run: retrieve({
      documentIds: ['d1'],
      topK: 5,
      topN: 6,
      recallMethod: 'mixed',
      recallRatio: 70,
      rerank: true,
      rerankModel: 'rerank',
      fractionalThreshold: 0.3,
    }),
    url: '/llm-application/open/knowledge/retrieve',
    check(_, { json: body }) {
      // The documentation does not specify whether the switch is a number or a boolean: either may be sent.
      const { rerank_status: rerank, ...rest } = body as Record<string, unknown>
      const wanted = {
        query: 'q',
        knowledge_ids: ['kb-1'],
        document_ids: ['d1'],
        top_k: 5,
        top_n: 6,
        recall_method: 'mixed',
        recall_ratio: 70,
        rerank_model: 'rerank',
        fractional_threshold: 0.3,
      }
      delete rest['request_id']
      if (rerank !== true && rerank !== 1) throw new Error('rerank_status is not on')
      expect(rest).toEqual(wanted)
    },
    happy: {
      name: 'chunks',
      reply: enveloped([
        {
          text: 't',
          score: 0.5,
          metadata: {
            _id: 's1',
            knowledge_id: 'kb-1',
            doc_id: 'd1',
            doc_name: 'a.md',
            doc_url: 'u',
            contextual_text: 'c',
          },
        },
      ]),
      value: [
        {
          text: 't',
          score: 0.5,
          sliceId: 's1',
          knowledgeId: 'kb-1',
          documentId: 'd1',
          documentName: 'a.md',
          documentUrl: 'u',
          contextualText: 'c',
        },
      ],
    },
    odd: [
      {
        name: 'no metadata',
        reply: enveloped({ text: 't' }),
        value: [{ text: 't', score: null, sliceId: null }],
      },
    ],
    limits: [
      {
        what: 'query',
        edge: retrieve({ query: 'x'.repeat(1000) }),
        over: retrieve({ query: 'x'.repeat(1001) }),
        limit: 1000,
        value: 1001,
      },
      {
        what: 'top_k',
        edge: retrieve({ topK: 20 }),
        over: retrieve({ topK: 21 }),
        limit: 20,
        value: 21,
      },
      {
        what: 'top_n',
        edge: retrieve({ topN: 100 }),
        over: retrieve({ topN: 101 }),
        limit: 100,
        value: 101,
      },
      {
        what: 'recall_ratio',
        edge: retrieve({ recallRatio: 100 }),
        over: retrieve({ recallRatio: 101 }),
        limit: 100,
        value: 101,
      },
    ],
  },
  {
    name: 'documents.upload',
    creating: true,
    run: ({ api, target, file }, o) =>
      api.documents.upload(
        target(),
        {
          knowledgeId: 'kb-1',
          files: [file('a.txt', 10, 'text/plain'), file('b.txt', 20, 'text/plain')],
          knowledgeType: 5,
          separators: ['\n', '。'],
          sentenceSize: 400,
          parseImages: true,
          wordLimit: 1000,
        },
        o,
      ),
    url: '/llm-application/open/document/upload_document/kb-1',
    check(_, { parts }) {
      const texts = parts
        .filter((part) => part.filename === null && part.name !== 'req_id')
        .map(({ name, bytes }) => `${name}=${bytes.toString()}`)
      const wanted = [
        'knowledge_type=5',
        'custom_separator=\n',
        'custom_separator=。',
        'sentence_size=400',
        'parse_image=true',
        'word_num_limit=1000',
      ]
      if (JSON.stringify(texts.toSorted()) !== JSON.stringify(wanted.toSorted()))
        throw new Error(`sent ${texts.join(' ')}`)
      const files = parts
        .filter((part) => part.filename !== null)
        .map(({ filename, bytes }) => `${String(filename)}:${bytes.length}`)
      if (files.join() !== 'a.txt:10,b.txt:20') throw new Error(`sent ${files.join()}`)
    },
    happy: {
      name: 'one accepted, one refused',
      reply: enveloped({
        successInfos: [{ documentId: 'd1', fileName: 'a.txt' }],
        failedInfos: [{ fileName: 'b.txt', failReason: 'too long' }],
      }),
      value: {
        accepted: [{ documentId: 'd1', name: 'a.txt' }],
        refused: [{ name: 'b.txt', reason: 'too long' }],
      },
    },
    odd: [
      {
        name: 'single objects, failInfo',
        reply: enveloped({
          successInfos: { documentId: 'd1', fileName: 'a.txt' },
          failedInfos: { fileName: 'b.txt', failInfo: 'no' },
        }),
        value: { accepted: [{ documentId: 'd1' }], refused: [{ name: 'b.txt', reason: 'no' }] },
      },
    ],
    limits: [
      {
        what: 'sentence size, too small',
        edge: upload({ sentenceSize: 20 }),
        over: upload({ sentenceSize: 19 }),
        limit: 20,
        value: 19,
      },
      {
        what: 'sentence size, too large',
        edge: upload({ sentenceSize: 2000 }),
        over: upload({ sentenceSize: 2001 }),
        limit: 2000,
        value: 2001,
      },
    ],
  },
  {
    name: 'documents.uploadUrls',
    creating: true,
    run: ({ api, target }, o) =>
      api.documents.uploadUrls(
        target(),
        {
          knowledgeId: 'kb-1',
          urls: [
            { url: 'https://a/b.pdf', knowledgeType: 5, separators: ['x'], sentenceSize: 300 },
          ],
        },
        o,
      ),
    url: '/llm-application/open/document/upload_url',
    json: {
      knowledge_id: 'kb-1',
      upload_detail: [
        { url: 'https://a/b.pdf', knowledge_type: 5, custom_separator: ['x'], sentence_size: 300 },
      ],
    },
    happy: {
      name: 'accepted',
      reply: enveloped({
        successInfos: [{ documentId: 'd1', url: 'https://a/b.pdf' }],
        failedInfos: [],
      }),
      value: { accepted: [{ documentId: 'd1', name: 'https://a/b.pdf' }], refused: [] },
    },
    odd: [],
    limits: [],
  },
  {
    name: 'documents.list',
    run: ({ api, target }, o) =>
      api.documents.list(target(), { knowledgeId: 'kb-1', page: 1, size: 5, word: 'a' }, o),
    url: '/llm-application/open/document?knowledge_id=kb-1&page=1&size=5&word=a',
    happy: {
      name: 'documents',
      reply: enveloped({ list: [document], total: 1 }),
      value: {
        documents: [
          { id: 'd1', name: 'a.md', state: 'done', separators: ['\n'], sentenceSize: 300 },
        ],
        total: 1,
      },
    },
    odd: [],
    limits: [
      pagesOf(
        'page size',
        (size): Run =>
          ({ api, target }, o) =>
            api.documents.list(target(), { knowledgeId: 'kb-1', size }, o),
      ),
    ],
  },
  {
    name: 'documents.get',
    run: ({ api, target }, o) => api.documents.get(target(), { id: 'd1' }, o),
    url: '/llm-application/open/document/d1',
    happy: {
      name: 'failed, with its reason',
      reply: enveloped({
        ...document,
        embedding_stat: 2,
        failInfo: { embedding_code: 10002, embedding_msg: 'too many words' },
      }),
      value: { state: 'failed', failure: { code: 10002, message: 'too many words' } },
    },
    odd: [
      {
        name: 'state as text',
        reply: enveloped({ ...document, embedding_stat: '0' }),
        value: { state: 'running', failure: null },
      },
      {
        name: 'an unknown state',
        reply: enveloped({ ...document, embedding_stat: 9 }),
        value: { state: 'unknown' },
      },
    ],
    limits: [],
  },
  {
    name: 'documents.delete',
    run: ({ api, target }, o) => api.documents.delete(target(), { id: 'd1' }, o),
    url: '/llm-application/open/document/d1',
    happy: { name: 'deleted', reply: enveloped(), value: null },
    odd: [],
    limits: [],
  },
  {
    name: 'documents.embed',
    run: ({ api, target }, o) => api.documents.embed(target(), { id: 'd1' }, o),
    url: '/llm-application/open/document/embedding/d1',
    json: {},
    happy: { name: 'accepted', reply: enveloped(), value: null },
    odd: [],
    limits: [],
  },
  {
    name: 'documents.images',
    run: ({ api, target }, o) => api.documents.images(target(), { id: 'd1' }, o),
    url: '/llm-application/open/document/slice/image_list/d1',
    json: {},
    happy: {
      name: 'images',
      reply: enveloped({ images: [{ text: 't', cos_url: 'u' }] }),
      value: [{ text: 't', url: 'u' }],
    },
    odd: [
      {
        name: 'a single image, not in a list',
        reply: enveloped({ images: { text: 't', cos_url: 'u' } }),
        value: [{ text: 't', url: 'u' }],
      },
    ],
    limits: [],
  },
  {
    name: 'slices.positions',
    run: ({ api, target }, o) => api.slices.positions(target(), { askedId: 'a1', nodeId: 'n1' }, o),
    url: '/llm-application/open/v2/application/slice_info',
    json: { request_id: 'a1', node_id: 'n1' },
    happy: {
      name: 'rectangles and spreadsheet rows',
      reply: enveloped({
        document_slices: [
          {
            document: { id: 'd1', name: 'a.pdf', url: 'u', dtype: 1 },
            slice_info: [
              {
                document_id: 'd1',
                position: { x0: 1, x1: 2, top: 3, bottom: 4, page: 1, height: 842, width: 595 },
                text: 't',
              },
              { document_id: 'd1', line: 7, sheet_name: 'S', text: 'row' },
            ],
            hide_positions: false,
            images: [{ text: 't', cos_url: 'u' }],
          },
        ],
        has_old_document: false,
      }),
      value: {
        hasOldDocument: false,
        documents: [
          {
            document: { id: 'd1', name: 'a.pdf' },
            hidePositions: false,
            slices: [
              {
                text: 't',
                position: { x0: 1, x1: 2, top: 3, bottom: 4, page: 1, height: 842, width: 595 },
              },
              { text: 'row', position: null, line: 7, sheetName: 'S' },
            ],
            images: [{ text: 't', url: 'u' }],
          },
        ],
      },
    },
    odd: [
      {
        name: 'single objects, numbers as text',
        reply: enveloped({
          document_slices: {
            document: { id: 'd1', name: 'a' },
            slice_info: {
              document_id: 'd1',
              text: 't',
              position: {
                x0: '1',
                x1: '2',
                top: '3',
                bottom: '4',
                page: '0',
                height: '842',
                width: '595',
              },
            },
          },
        }),
        value: { documents: [{ slices: [{ position: { x0: 1, width: 595, page: 0 } }] }] },
      },
    ],
    limits: [],
  },
]

import { json, untyped } from '../row.ts'
import type { Row } from '../row.ts'

const response = {
  id: 'resp-1',
  object: 'response',
  created_at: 1_780_000_000,
  model: 'm',
  status: 'completed',
  temperature: 0.5,
  top_p: 0.9,
  max_output_tokens: 100,
  instructions: 'be kind',
  text: { format: { type: 'text' } },
  tools: [
    { type: 'function', name: 'f', description: 'd', parameters: { type: 'object' } },
    {
      type: 'namespace',
      name: 'n',
      description: 'd',
      tools: [{ type: 'function', name: 'g', description: '', parameters: {} }],
    },
    { type: 'custom', name: 'c' },
    { type: 'web_search' },
  ],
  error: null,
  incomplete_details: null,
  output: [
    {
      type: 'reasoning',
      id: 'o1',
      status: 'completed',
      content: { type: 'reasoning_text', text: 'hm' },
    },
    {
      type: 'web_search_call',
      id: 'o2',
      status: 'completed',
      action: { type: 'search', queries: ['q'], source: ['s'] },
      result: [{ a: 1 }],
    },
    {
      type: 'function_call',
      id: 'o3',
      status: 'completed',
      namespace: 'n',
      name: 'g',
      call_id: 'c1',
      arguments: '{"a":1}',
    },
    {
      type: 'message',
      id: 'o4',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'yes' }],
    },
  ],
  usage: {
    input_tokens: 3,
    input_tokens_details: { cached_tokens: 1 },
    output_tokens: 4,
    output_tokens_details: { reasoning_tokens: 2 },
  },
}
const read = {
  id: 'resp-1',
  status: 'completed',
  createdAt: 1_780_000_000,
  textFormat: 'text',
  cachedTokens: 1,
  reasoningTokens: 2,
  tools: [
    { type: 'function', name: 'f' },
    { type: 'namespace', tools: [{ type: 'function', name: 'g' }] },
    { type: 'custom', name: 'c' },
    { type: 'web_search' },
  ],
  output: [
    { type: 'reasoning', texts: ['hm'] },
    { type: 'web_search_call', queries: ['q'], sources: ['s'], results: [{ a: 1 }] },
    { type: 'function_call', namespace: 'n', name: 'g', callId: 'c1', arguments: '{"a":1}' },
    { type: 'message', texts: ['yes'] },
  ],
}

/** Rows of the Response API. */
export const responseRows: readonly Row[] = [
  {
    name: 'responses.create',
    creating: true,
    run: ({ api, target }, o) =>
      api.responses.create(
        target(),
        {
          model: 'm',
          input: 'hi',
          instructions: 'be kind',
          previousResponseId: 'resp-0',
          store: true,
          extra: { temperature: 0.5 },
        },
        o,
      ),
    url: '/v1/responses',
    json: {
      model: 'm',
      input: 'hi',
      instructions: 'be kind',
      previous_response_id: 'resp-0',
      store: true,
      temperature: 0.5,
    },
    happy: { name: 'a response', reply: json(response), value: read },
    odd: [],
    limits: [],
  },
  {
    name: 'responses.retrieve',
    run: ({ api, target }, o) => api.responses.retrieve(target(), { id: 'resp/1' }, o),
    url: '/v1/responses/resp%2F1',
    happy: { name: 'four tools, four outputs', reply: json(response), value: read },
    odd: [
      {
        name: 'content as object, output as object, unknown tools',
        reply: untyped({
          id: 'resp-1',
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
          output: {
            type: 'message',
            id: 'o',
            role: 'assistant',
            content: { type: 'output_text', text: 'yes' },
          },
          tools: [{ type: 'new' }],
        }),
        value: {
          status: 'incomplete',
          incompleteReason: 'max_output_tokens',
          output: [{ type: 'message', texts: ['yes'] }],
          tools: [{ type: 'unknown' }],
        },
      },
      {
        name: 'a failed response as a result',
        reply: json({
          ...response,
          status: 'failed',
          output: [],
          error: { code: 'server_error', message: 'broke' },
        }),
        value: { status: 'failed', error: { code: 'server_error', message: 'broke' } },
      },
    ],
    limits: [],
  },
  {
    name: 'responses.inputItems',
    run: ({ api, target }, o) =>
      api.responses.inputItems(target(), { id: 'resp-1', order: 'asc', limit: 5, after: 'i0' }, o),
    url: '/v1/responses/resp-1/input_items?order=asc&limit=5&after=i0',
    happy: {
      name: 'items',
      reply: json({ object: 'list', data: [{ id: 'i1' }], has_more: false, last_id: 'i1' }),
      value: { items: [{ id: 'i1' }], hasMore: false, lastId: 'i1' },
    },
    odd: [
      {
        name: 'a single item, not in a list',
        reply: untyped({ data: { id: 'i1' } }),
        value: { items: [{ id: 'i1' }] },
      },
    ],
    limits: [
      {
        what: 'page size',
        edge: ({ api, target }, o) =>
          api.responses.inputItems(target(), { id: 'resp-1', limit: 100 }, o),
        over: ({ api, target }, o) =>
          api.responses.inputItems(target(), { id: 'resp-1', limit: 101 }, o),
        limit: 100,
        value: 101,
      },
    ],
  },
  {
    name: 'responses.delete',
    run: ({ api, target }, o) => api.responses.delete(target(), { id: 'resp-1' }, o),
    url: '/v1/responses/resp-1',
    happy: {
      name: 'deleted',
      reply: json({ id: 'resp-1', object: 'response', deleted: true }),
      value: { deleted: true },
    },
    odd: [],
    limits: [],
  },
]

import { done, eventText, events, json, requestIdLimits, untyped } from '../row.ts'
import type { Row, Run } from '../row.ts'

const retrieval = { knowledgeIds: ['kb-1'] }
const messages = [{ role: 'user', content: 'hi' }] as const
const agentEvents = [
  { type: 'session_created', sessionId: 's1' },
  { type: 'reasoning', sessionId: 's1', data: 'because' },
  { type: 'thought', sessionId: 's1', data: 'look' },
  {
    type: 'tool_call',
    sessionId: 's1',
    data: { callId: 'c1', toolName: 'retrieve', arguments: { q: 'hi' } },
  },
  {
    type: 'tool_result',
    sessionId: 's1',
    data: { callId: 'c1', toolName: 'retrieve', result: [], status: 'success', durationMs: 5 },
  },
  { type: 'answer', sessionId: 's1', data: 'Hel' },
  { type: 'answer', sessionId: 's1', data: 'lo' },
]
const agentDone = {
  type: 'done',
  sessionId: 's1',
  messageId: 'm1',
  data: 'Hello',
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, total_calls: 2 },
}
const chunk = (delta: unknown, more: object = {}): object => ({
  id: 'a',
  conversation_id: 'conv-1',
  assistant_id: '65940acff94777010aa6b796',
  status: 'in_progress',
  choices: [{ index: 0, delta, ...more }],
})
const assistant =
  (more: object): Run =>
  ({ api, target }, o) =>
    api.assistants.chat(target(), { assistantId: '65940acff94777010aa6b796', messages, ...more }, o)
const slidesMessage = {
  role: 'assistant',
  phase: 'answer',
  content: [{ type: 'text', text: 'page one' }],
}
const slidesChunk = {
  id: 'x',
  agent_id: 'slides_glm_agent',
  conversation_id: 'conv-2',
  choices: [{ index: 0, messages: [slidesMessage] }],
}

/** Rows of the retrieval agent, assistants and slides. */
export const chatRows: readonly Row[] = [
  {
    name: 'agents.chat',
    creating: true,
    turn: true,
    run: ({ api, target }, o) =>
      api.agentChat.chat(
        target(),
        {
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'hi' },
                { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
              ],
            },
          ],
          retrieval: {
            knowledgeIds: ['kb-1'],
            topK: 5,
            topN: 6,
            rerank: true,
            similarityThreshold: 0.3,
          },
          temperature: 0.1,
          maxSteps: 4,
          thinking: true,
          sessionId: 's0',
        },
        o,
      ),
    url: '/zrag/agent/chat',
    json: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
      ],
      retrieval: {
        know_ids: ['kb-1'],
        top_k: 5,
        top_n: 6,
        enable_rerank: true,
        similarity_threshold: 0.3,
      },
      model: 'glm-5v-turbo',
      temperature: 0.1,
      max_steps: 4,
      enable_thinking: true,
    },
    check(request) {
      if (request.headers['x-session-id'] !== 's0')
        throw new Error('the session is not in its header')
    },
    happy: {
      name: 'eight types of events',
      reply: events([...agentEvents, agentDone]),
      value: {
        sessionId: 's1',
        messageId: 'm1',
        answer: 'Hello',
        reasoning: 'because',
        totalCalls: 2,
        complete: true,
      },
    },
    odd: [
      {
        name: 'data as JSON text, done without data, unknown events',
        reply: events([
          { type: 'session_created', data: 's1' },
          {
            type: 'tool_call',
            data: JSON.stringify({ callId: 'c1', toolName: 'retrieve', arguments: {} }),
          },
          { type: 'brand_new', data: { a: 1 } },
          { type: 'answer', data: 'Hi' },
          { type: 'done', messageId: 'm1' },
        ]),
        value: { answer: 'Hi', messageId: 'm1', complete: true },
      },
      {
        name: '[DONE] after done, no content type',
        reply: { body: eventText([...agentEvents, agentDone]) + done },
        value: { answer: 'Hello' },
      },
    ],
    limits: [
      {
        what: 'messages',
        edge: ({ api, target }, o) => api.agentChat.chat(target(), { messages, retrieval }, o),
        over: ({ api, target }, o) => api.agentChat.chat(target(), { messages: [], retrieval }, o),
        limit: 1,
        value: 0,
      },
      {
        what: 'knowledge bases',
        edge: ({ api, target }, o) => api.agentChat.chat(target(), { messages, retrieval }, o),
        over: ({ api, target }, o) =>
          api.agentChat.chat(target(), { messages, retrieval: { knowledgeIds: [] } }, o),
        limit: 1,
        value: 0,
      },
    ],
    thinks: true,
    stream: {
      half: eventText(agentEvents),
      partial: { answer: 'Hello', sessionId: 's1', complete: false },
    },
  },
  {
    name: 'assistants.chat',
    creating: true,
    turn: true,
    run: assistant({
      model: 'gen-4-alltools',
      conversationId: 'conv-0',
      stream: true,
      doSample: false,
      attachments: ['file-1'],
      metadata: { a: 1 },
      translate: { from: 'zh', to: 'en' },
      userId: 'user-01',
    }),
    url: '/paas/v4/assistant',
    json: {
      assistant_id: '65940acff94777010aa6b796',
      model: 'glm-4-alltools',
      messages,
      conversation_id: 'conv-0',
      stream: true,
      request_id: 'request-0001',
      user_id: 'user-01',
      do_sample: false,
      attachments: [{ file_id: 'file-1' }],
      metadata: { a: 1 },
      extra_parameters: { translate: { from: 'zh', to: 'en' } },
    },
    happy: {
      name: 'text and every type of tool call',
      reply: events(
        [
          chunk({ type: 'content', role: 'assistant', content: 'Hel' }),
          chunk({
            type: 'tool_calls',
            role: 'tool',
            tool_calls: [
              {
                type: 'web_browser',
                web_browser: {
                  input: 'q',
                  outputs: [{ title: 't', link: 'l', content: 'c', error_msg: '' }],
                },
              },
              {
                type: 'code_interpreter',
                code_interpreter: {
                  input: '1+1',
                  outputs: [{ type: 'logs', logs: '2', error_msg: '' }],
                },
              },
              { type: 'drawing_tool', drawing_tool: { input: 'cat', outputs: [{ image: 'u' }] } },
              { type: 'retrieval', retrieval: { outputs: [{ text: 't', document: 'd' }] } },
              {
                type: 'function',
                function: { name: 'f', arguments: { a: 1 }, outputs: [{ content: 'x' }] },
              },
            ],
          }),
          chunk({ type: 'content', role: 'assistant', content: 'lo' }, { finish_reason: 'stop' }),
        ],
        done,
      ),
      value: {
        conversationId: 'conv-1',
        text: 'Hello',
        finishReason: 'stop',
        complete: true,
        toolCalls: [
          { type: 'web_browser', input: 'q', outputs: [{ title: 't', link: 'l', content: 'c' }] },
          { type: 'code_interpreter', outputs: [{ logs: '2' }] },
          { type: 'drawing_tool', outputs: [{ image: 'u' }] },
          { type: 'retrieval', outputs: [{ text: 't', document: 'd' }] },
          { type: 'function', name: 'f', arguments: '{"a":1}', outputs: [{ content: 'x' }] },
        ],
      },
    },
    odd: [
      {
        name: 'a complete response with message',
        reply: untyped({
          id: 'a',
          conversation_id: 'conv-1',
          choices: {
            index: 0,
            message: { role: 'assistant', content: 'Hello' },
            finish_reason: 'stop',
          },
        }),
        value: { text: 'Hello', conversationId: 'conv-1' },
        run: assistant({ stream: false }),
      },
      {
        name: 'a complete response with delta, arguments as text',
        reply: json({
          choices: [
            {
              delta: {
                content: 'Hi',
                tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }],
              },
            },
          ],
          status: 'completed',
        }),
        value: { text: 'Hi', toolCalls: [{ type: 'function', name: 'f', arguments: '{"a":1}' }] },
        run: assistant({ stream: false }),
      },
    ],
    limits: [
      ...requestIdLimits(assistant({})),
      {
        what: 'messages',
        edge: assistant({}),
        over: assistant({ messages: [] }),
        limit: 1,
        value: 0,
      },
      {
        what: 'user ID, too short',
        edge: assistant({ userId: 'u'.repeat(6) }),
        over: assistant({ userId: 'u'.repeat(5) }),
        limit: 6,
        value: 5,
      },
      {
        what: 'user ID, too long',
        edge: assistant({ userId: 'u'.repeat(128) }),
        over: assistant({ userId: 'u'.repeat(129) }),
        limit: 128,
        value: 129,
      },
    ],
    thinks: true,
    stream: {
      half: eventText([chunk({ type: 'content', role: 'assistant', content: 'Hel' })]),
      partial: { text: 'Hel', conversationId: 'conv-1', complete: false },
    },
  },
  {
    name: 'assistants.list',
    run: ({ api, target }, o) => api.assistants.list(target(), { ids: ['a1'] }, o),
    url: '/paas/v4/assistant/list',
    json: { assistant_id_list: ['a1'] },
    happy: {
      name: 'assistants',
      reply: json({
        success: true,
        code: 200,
        msg: '',
        data: [
          {
            assistant_id: 'a1',
            name: 'N',
            avatar: 'u',
            description: 'd',
            tools: ['web_browser'],
            tags: [{ key: 'k', label: 'l' }],
            status: 'publish',
            starter_prompts: ['ask me'],
            created_at: '2026-01-01T00:00:00Z',
            updated_at: '2026-01-01T00:00:00Z',
          },
        ],
      }),
      value: [
        {
          id: 'a1',
          name: 'N',
          tags: [{ key: 'k', label: 'l' }],
          starterPrompts: ['ask me'],
          status: 'publish',
        },
      ],
    },
    odd: [
      {
        name: 'starter prompts as objects, times as numbers',
        reply: untyped({
          success: true,
          code: '200',
          data: [
            {
              assistant_id: 'a1',
              starter_prompts: [{ text: 'ask' }, { prompt: 'me' }],
              created_at: 1_767_225_600,
            },
          ],
        }),
        value: [{ id: 'a1', starterPrompts: ['ask', 'me'], createdAt: '2026-01-01T00:00:00.000Z' }],
      },
    ],
    limits: [],
  },
  {
    name: 'assistants.conversations',
    run: ({ api, target }, o) =>
      api.assistants.conversations(target(), { assistantId: 'a1', page: 2, pageSize: 10 }, o),
    url: '/paas/v4/assistant/conversation/list',
    json: { assistant_id: 'a1', page: 2, page_size: 10 },
    happy: {
      name: 'conversations',
      reply: json({
        success: true,
        code: 200,
        msg: '',
        data: {
          assistant_id: 'a1',
          conversation_list: [{ id: 'c1', assistant_id: 'a1', usage: { total_tokens: 9 } }],
          has_more: true,
        },
      }),
      value: { conversations: [{ id: 'c1', assistantId: 'a1', totalTokens: 9 }], hasMore: true },
    },
    odd: [],
    limits: [
      {
        what: 'page size',
        edge: ({ api, target }, o) =>
          api.assistants.conversations(target(), { assistantId: 'a1', pageSize: 100 }, o),
        over: ({ api, target }, o) =>
          api.assistants.conversations(target(), { assistantId: 'a1', pageSize: 101 }, o),
        limit: 100,
        value: 101,
      },
    ],
  },
  {
    name: 'slides.conversation',
    run: ({ api, target }, o) =>
      api.slides.conversation(
        target(),
        {
          conversationId: 'conv-2',
          includePdf: true,
          pages: [{ position: 0, width: 33.8, height: 19 }],
        },
        o,
      ),
    url: '/v1/agents/conversation',
    json: {
      agent_id: 'slides_glm_agent',
      conversation_id: 'conv-2',
      custom_variables: { include_pdf: true, pages: [{ position: 0, width: 33.8, height: 19 }] },
    },
    happy: {
      name: 'message, as in the specification',
      reply: json({
        conversation_id: 'conv-2',
        agent_id: 'slides_glm_agent',
        choices: [
          {
            message: [
              { role: 'user', content: [{ type: 'text', text: 'make slides' }] },
              {
                role: 'assistant',
                content: [{ type: 'file_url', tag_cn: '文件', tag_en: 'file', file_url: 'u' }],
              },
            ],
          },
        ],
      }),
      value: {
        conversationId: 'conv-2',
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'make slides' }] },
          { role: 'assistant', content: [{ tagCn: '文件', tagEn: 'file', fileUrl: 'u' }] },
        ],
      },
    },
    odd: [
      {
        name: 'messages, as in the guide; single objects',
        reply: untyped({
          conversation_id: 'conv-2',
          choices: {
            messages: { role: 'assistant', content: { type: 'image_url', image_url: 'u' } },
          },
        }),
        value: {
          messages: [{ role: 'assistant', content: [{ type: 'image_url', imageUrl: 'u' }] }],
        },
      },
    ],
    limits: [],
  },
  {
    name: 'slides.talk',
    creating: true,
    run: ({ api, target }, o) =>
      api.slides.talk(target(), { text: 'three pages', conversationId: 'conv-2' }, o),
    url: '/v1/agents',
    json: {
      agent_id: 'slides_glm_agent',
      stream: true,
      conversation_id: 'conv-2',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'three pages' }] }],
    },
    happy: {
      name: 'phases',
      reply: events(
        [
          slidesChunk,
          {
            ...slidesChunk,
            choices: [{ index: 1, messages: [slidesMessage], finish_reason: 'stop' }],
          },
        ],
        done,
      ),
      value: { conversationId: 'conv-2', messages: [{ role: 'assistant', phase: 'answer' }] },
    },
    odd: [],
    limits: [],
    thinks: true,
    stream: {
      half: eventText([slidesChunk]),
      partial: { conversationId: 'conv-2', messages: [{ role: 'assistant' }] },
    },
  },
  {
    name: 'tasks.create',
    creating: true,
    run: ({ api, target }, o) =>
      api.tasks.create(
        target(),
        { kind: 'chat', model: 'm', body: { messages: [{ role: 'user', content: 'hi' }] } },
        o,
      ),
    url: '/paas/v4/async/chat/completions',
    json: { model: 'm', messages: [{ role: 'user', content: 'hi' }], request_id: 'request-0001' },
    happy: {
      name: 'a task',
      reply: json({ model: 'm', id: 't1', request_id: 'from-service', task_status: 'PROCESSING' }),
      value: { id: 't1', state: 'processing' },
    },
    odd: [],
    limits: [],
  },
  {
    name: 'tasks.create video',
    creating: true,
    run: ({ api, target }, o) =>
      api.tasks.create(target(), { kind: 'video', model: 'm', body: { prompt: 'a cat' } }, o),
    url: '/paas/v4/videos/generations',
    json: { model: 'm', prompt: 'a cat', request_id: 'request-0001' },
    happy: {
      name: 'a task',
      reply: json({ model: 'm', id: 't1', request_id: 'from-service', task_status: 'PROCESSING' }),
      value: { id: 't1', state: 'processing' },
    },
    odd: [
      {
        name: 'finished immediately',
        reply: untyped({ id: 't1', task_status: 'SUCCESS' }),
        value: { id: 't1', state: 'succeeded' },
      },
    ],
    limits: [],
  },
  {
    name: 'tasks.create image',
    creating: true,
    run: ({ api, target }, o) =>
      api.tasks.create(target(), { kind: 'image', model: 'm', body: { prompt: 'a cat' } }, o),
    url: '/paas/v4/async/images/generations',
    json: { model: 'm', prompt: 'a cat', request_id: 'request-0001' },
    happy: {
      name: 'a task',
      reply: json({ model: 'm', id: 't1', request_id: 'from-service', task_status: 'PROCESSING' }),
      value: { id: 't1', state: 'processing' },
    },
    odd: [
      {
        name: 'finished immediately',
        reply: untyped({ id: 't1', task_status: 'SUCCESS' }),
        value: { id: 't1', state: 'succeeded' },
      },
    ],
    limits: [],
  },
  {
    name: 'tasks.get',
    run: ({ api, target }, o) => api.tasks.get(target(), { id: 't/1' }, o),
    url: '/paas/v4/async-result/t%2F1',
    happy: {
      name: 'a chat with tool calls and searches',
      reply: json({
        id: 't1',
        request_id: 'from-service',
        created: 1_780_000_000,
        model: 'm',
        task_status: 'SUCCESS',
        choices: [
          {
            index: 0,
            finish_reason: 'tool_calls',
            message: {
              role: 'assistant',
              content: null,
              reasoning_content: 'hm',
              tool_calls: [
                { id: 'f1', type: 'function', function: { name: 'f', arguments: '{}' } },
                {
                  id: 'p1',
                  type: 'mcp',
                  mcp: {
                    id: 'p1',
                    type: 'mcp_call',
                    server_label: 's',
                    name: 'g',
                    arguments: '{}',
                    output: {},
                  },
                },
              ],
            },
          },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
        web_search: [
          {
            icon: 'i',
            title: 't',
            link: 'l',
            media: 'm',
            publish_date: 'd',
            content: 'c',
            refer: 'r',
          },
        ],
        content_filter: [{ role: 'user', level: 3 }],
      }),
      value: {
        id: 't1',
        state: 'succeeded',
        choices: [
          {
            content: null,
            reasoning: 'hm',
            finishReason: 'tool_calls',
            toolCalls: [
              { id: 'f1', type: 'function', name: 'f' },
              { id: 'p1', type: 'mcp', name: 'g' },
            ],
          },
        ],
        webSearch: [{ title: 't', publishDate: 'd' }],
        contentFilter: [{ role: 'user', level: 3 }],
      },
    },
    odd: [
      {
        name: 'a video',
        reply: untyped({
          id: 't1',
          task_status: 'SUCCESS',
          video_result: [{ url: 'u', cover_image_url: 'c' }],
        }),
        value: { state: 'succeeded', videos: [{ url: 'u', coverUrl: 'c' }] },
      },
      {
        name: 'an image, single object, no state',
        reply: json({ image_result: { url: 'u' } }),
        value: { state: 'succeeded', images: [{ url: 'u' }] },
      },
      {
        name: 'images under data',
        reply: json({ task_status: 'SUCCESS', data: [{ url: 'u' }] }),
        value: { images: [{ url: 'u' }] },
      },
      {
        name: 'running, without other fields',
        reply: json({ task_status: 'PROCESSING' }),
        value: { state: 'processing', choices: [] },
      },
      {
        name: 'a failed task as a result',
        reply: json({ id: 't1', task_status: 'FAIL' }),
        value: { state: 'failed' },
      },
    ],
    limits: [],
  },
]

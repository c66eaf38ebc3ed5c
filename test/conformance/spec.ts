import {
  dataUri,
  either,
  flag,
  list,
  number,
  object,
  open,
  real,
  text,
  whole,
  word,
} from './rules.ts'
import type { Fields, Rule } from './rules.ts'

/** Operation as documented in the API reference and service-notes, independent of the code under test. */
export interface Wire {
  /** Section of the API specification; `notes N` if only docs/service-notes.md describes it. */
  readonly section: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path; `{name}` is a placeholder for one segment. */
  readonly path: string
  readonly query?: Fields
  /** Headers besides the bearer token that this operation may send; a name that ends in `!` is required. */
  readonly headers?: readonly string[]
  readonly json?: Fields
  /** Multipart: text fields, and the file field with its allowed media types. */
  readonly form?: {
    readonly fields: Fields
    readonly file: string
    readonly types: readonly string[]
  }
  readonly accept?: 'text/event-stream'
  /** Failure body that service-notes 14 specifies for it. */
  readonly failure: 'error object' | 'code and message'
}

const requestId = text(6, 64)
const userId = text(6, 128)
const parts: Rule = list(
  either(
    object({ 'type!': word('text'), 'text!': text(1) }),
    object({ 'type!': word('image_url'), 'image_url!': object({ 'url!': text(1) }) }),
  ),
  1,
)
const messages = list(object({ 'role!': word('user'), 'content!': either(text(1), parts) }), 1)
const colours = word('blue', 'red', 'orange', 'purple', 'sky', 'green', 'yellow')
const symbols = word('question', 'book', 'seal', 'wrench', 'tag', 'horn', 'house')
const baseFields: Fields = {
  name: text(1, 100),
  description: text(),
  background: colours,
  icon: symbols,
  embedding_id: number(3, 11, 12),
  embedding_model: word('Embedding-2', 'Embedding-3', 'Embedding-3-pro'),
  contextual: number(0, 1),
}
const slicing: Fields = {
  knowledge_type: number(1, 2, 3, 5, 6, 7),
  custom_separator: list(text(1)),
  sentence_size: whole(20, 2000),
}
const digits = (...one: readonly string[]): Rule => word(...one)

/** Tables by Lectern's name of each operation. Model and agent IDs are those of the public host. */
export const wires: Readonly<Record<string, Wire>> = {
  'responses.create': {
    section: '4.1',
    method: 'POST',
    path: '/v1/responses',
    json: {
      'model!': text(1),
      'input!': either(text(1), list(open, 1)),
      instructions: text(),
      previous_response_id: text(1),
      store: flag,
      temperature: real(),
      top_p: real(),
      max_output_tokens: whole(1),
      tools: list(open),
      tool_choice: word('none', 'auto'),
      text: open,
      reasoning: open,
      stream: flag,
    },
    failure: 'error object',
  },
  'responses.retrieve': {
    section: '4.1',
    method: 'GET',
    path: '/v1/responses/{id}',
    failure: 'error object',
  },
  'responses.inputItems': {
    section: '4.1',
    method: 'GET',
    path: '/v1/responses/{id}/input_items',
    query: { order: word('asc', 'desc'), limit: text(1), after: text(1) },
    failure: 'error object',
  },
  'responses.delete': {
    section: '4.1',
    method: 'DELETE',
    path: '/v1/responses/{id}',
    failure: 'error object',
  },
  'files.upload': {
    section: 'notes 2',
    method: 'POST',
    path: '/paas/v4/files',
    form: {
      fields: { 'purpose!': text(1) },
      file: 'file',
      types: ['audio/wav', 'audio/mpeg', 'application/pdf', 'text/plain'],
    },
    failure: 'error object',
  },
  'files.list': {
    section: 'notes 2',
    method: 'GET',
    path: '/paas/v4/files',
    query: { 'purpose!': text(1), limit: text(1), after: text(1), order: word('created_at') },
    failure: 'error object',
  },
  'files.delete': {
    section: 'notes 2',
    method: 'DELETE',
    path: '/paas/v4/files/{id}',
    failure: 'error object',
  },
  'files.content': {
    section: 'notes 2',
    method: 'GET',
    path: '/paas/v4/files/{id}/content',
    failure: 'error object',
  },
  'voices.clone': {
    section: '4.2',
    method: 'POST',
    path: '/paas/v4/voice/clone',
    json: {
      'model!': word('glm-tts-clone'),
      'voice_name!': text(1),
      'input!': text(1),
      'file_id!': text(1),
      text: text(),
      request_id: requestId,
    },
    failure: 'error object',
  },
  'voices.list': {
    section: '4.3',
    method: 'GET',
    path: '/paas/v4/voice/list',
    query: { voiceName: text(1), voiceType: word('PRIVATE', 'OFFICIAL') },
    headers: ['request-id'],
    failure: 'error object',
  },
  'voices.delete': {
    section: 'notes 3',
    method: 'POST',
    path: '/paas/v4/voice/delete',
    json: { 'voice!': text(1), request_id: requestId },
    failure: 'error object',
  },
  'speech.create': {
    section: 'notes 3',
    method: 'POST',
    path: '/paas/v4/audio/speech',
    json: {
      'model!': word('glm-tts'),
      'input!': text(1, 1024),
      'voice!': text(1),
      speed: real(0.5, 2),
      volume: real(0, 10),
      response_format: word('pcm', 'wav'),
      stream: flag,
      encode_format: word('base64', 'hex'),
      watermark_enabled: flag,
      request_id: requestId,
    },
    failure: 'error object',
  },
  'speech.stream': {
    section: 'notes 3',
    method: 'POST',
    path: '/paas/v4/audio/speech',
    json: {
      'model!': word('glm-tts'),
      'input!': text(1, 1024),
      'voice!': text(1),
      speed: real(0.5, 2),
      volume: real(0, 10),
      'response_format!': word('pcm'),
      'stream!': flag,
      encode_format: word('base64', 'hex'),
      watermark_enabled: flag,
      request_id: requestId,
    },
    accept: 'text/event-stream',
    failure: 'error object',
  },
  'connection.check': {
    section: '4.3',
    method: 'GET',
    path: '/paas/v4/voice/list',
    headers: ['request-id'],
    failure: 'error object',
  },
  'rerank.create': {
    section: '4.4',
    method: 'POST',
    path: '/paas/v4/rerank',
    json: {
      'model!': word('rerank'),
      'query!': text(1, 4096),
      'documents!': list(text(0, 4096), 1, 128),
      top_n: whole(0),
      return_documents: flag,
      return_raw_scores: flag,
      request_id: requestId,
      user_id: userId,
    },
    failure: 'error object',
  },
  'agents.chat': {
    section: '4.5',
    method: 'POST',
    path: '/zrag/agent/chat',
    headers: ['x-session-id'],
    json: {
      'messages!': messages,
      'retrieval!': object({
        'know_ids!': list(text(1), 1),
        top_k: whole(1),
        top_n: whole(1),
        enable_rerank: flag,
        similarity_threshold: real(0, 1),
      }),
      model: text(1),
      temperature: real(),
      max_steps: whole(1),
      enable_thinking: flag,
    },
    accept: 'text/event-stream',
    failure: 'code and message',
  },
  'slides.conversation': {
    section: '4.6',
    method: 'POST',
    path: '/v1/agents/conversation',
    json: {
      'agent_id!': word('slides_glm_agent'),
      'conversation_id!': text(1),
      custom_variables: object({
        include_pdf: flag,
        pages: list(object({ 'position!': real(), 'width!': real(), 'height!': real() })),
      }),
    },
    failure: 'error object',
  },
  'slides.talk': {
    section: 'notes 10',
    method: 'POST',
    path: '/v1/agents',
    json: {
      'agent_id!': word('slides_glm_agent'),
      'stream!': flag,
      conversation_id: text(1),
      'messages!': list(object({ 'role!': word('user'), 'content!': parts }), 1),
    },
    accept: 'text/event-stream',
    failure: 'error object',
  },
  'knowledge.create': {
    section: '4.7',
    method: 'POST',
    path: '/llm-application/open/knowledge',
    json: { ...baseFields, 'name!': text(1, 100), 'embedding_id!': number(3, 11, 12) },
    failure: 'code and message',
  },
  'knowledge.get': {
    section: '4.8',
    method: 'GET',
    path: '/llm-application/open/knowledge/{id}',
    failure: 'code and message',
  },
  'knowledge.list': {
    section: '4.9',
    method: 'GET',
    path: '/llm-application/open/knowledge',
    query: { page: text(1), size: text(1) },
    failure: 'code and message',
  },
  'knowledge.capacity': {
    section: '4.10',
    method: 'GET',
    path: '/llm-application/open/knowledge/capacity',
    failure: 'code and message',
  },
  'knowledge.delete': {
    section: '4.11',
    method: 'DELETE',
    path: '/llm-application/open/knowledge/{id}',
    failure: 'code and message',
  },
  'knowledge.update': {
    section: 'notes 7',
    method: 'PUT',
    path: '/llm-application/open/knowledge/{id}',
    json: baseFields,
    failure: 'code and message',
  },
  'knowledge.retrieve': {
    section: 'notes 7',
    method: 'POST',
    path: '/llm-application/open/knowledge/retrieve',
    json: {
      'query!': text(1, 1000),
      'knowledge_ids!': list(text(1), 1),
      document_ids: list(text(1)),
      top_k: whole(1, 20),
      top_n: whole(1, 100),
      recall_method: word('embedding', 'keyword', 'mixed'),
      recall_ratio: whole(0, 100),
      rerank_status: either(flag, number(0, 1)),
      rerank_model: word('rerank', 'rerank-pro'),
      fractional_threshold: real(0, 1),
      request_id: requestId,
    },
    failure: 'code and message',
  },
  'documents.upload': {
    section: 'notes 7',
    method: 'POST',
    path: '/llm-application/open/document/upload_document/{base}',
    form: {
      fields: {
        'knowledge_type!': digits('1', '2', '3', '5', '6', '7'),
        custom_separator: text(1),
        sentence_size: text(2, 4),
        parse_image: word('true', 'false'),
        word_num_limit: text(1),
        req_id: requestId,
      },
      file: 'files',
      types: ['audio/wav', 'application/pdf', 'text/plain', 'application/octet-stream'],
    },
    failure: 'code and message',
  },
  'documents.uploadUrls': {
    section: 'notes 7',
    method: 'POST',
    path: '/llm-application/open/document/upload_url',
    json: {
      'knowledge_id!': text(1),
      'upload_detail!': list(
        object({ ...slicing, 'url!': text(8), 'knowledge_type!': number(1, 2, 3, 5, 6, 7) }),
        1,
      ),
    },
    failure: 'code and message',
  },
  'documents.list': {
    section: 'notes 7',
    method: 'GET',
    path: '/llm-application/open/document',
    query: { 'knowledge_id!': text(1), page: text(1), size: text(1), word: text(1) },
    failure: 'code and message',
  },
  'documents.get': {
    section: 'notes 7',
    method: 'GET',
    path: '/llm-application/open/document/{id}',
    failure: 'code and message',
  },
  'documents.delete': {
    section: 'notes 7',
    method: 'DELETE',
    path: '/llm-application/open/document/{id}',
    failure: 'code and message',
  },
  'documents.embed': {
    section: 'notes 7',
    method: 'POST',
    path: '/llm-application/open/document/embedding/{id}',
    json: {},
    failure: 'code and message',
  },
  'documents.images': {
    section: 'notes 7',
    method: 'POST',
    path: '/llm-application/open/document/slice/image_list/{id}',
    json: {},
    failure: 'code and message',
  },
  'slices.positions': {
    section: '4.12',
    method: 'POST',
    path: '/llm-application/open/v2/application/slice_info',
    json: { 'request_id!': text(1), 'node_id!': text(1) },
    failure: 'code and message',
  },
  'embeddings.create': {
    section: '4.13',
    method: 'POST',
    path: '/paas/v4/embeddings',
    json: {
      'model!': word('embedding-3', 'embedding-2'),
      'input!': either(text(1), list(text(1), 1, 64)),
      dimensions: number(2048, 1024, 512, 256),
    },
    failure: 'error object',
  },
  'transcriptions.create': {
    section: '4.14',
    method: 'POST',
    path: '/paas/v4/audio/transcriptions',
    form: {
      fields: {
        'model!': word('glm-asr-2512'),
        'stream!': word('true', 'false'),
        prompt: text(1, 8000),
        hotwords: text(1),
        request_id: requestId,
        user_id: userId,
      },
      file: 'file',
      types: ['audio/wav', 'audio/mpeg'],
    },
    failure: 'error object',
  },
  'tasks.create': {
    section: 'notes 9',
    method: 'POST',
    path: '/paas/v4/async/chat/completions',
    json: { 'model!': text(1), 'messages!': list(open, 1), request_id: requestId },
    failure: 'error object',
  },
  'tasks.create video': {
    section: 'notes 9',
    method: 'POST',
    path: '/paas/v4/videos/generations',
    json: { 'model!': text(1), 'prompt!': text(1), request_id: requestId },
    failure: 'error object',
  },
  'tasks.create image': {
    section: 'notes 9',
    method: 'POST',
    path: '/paas/v4/async/images/generations',
    json: { 'model!': text(1), 'prompt!': text(1), request_id: requestId },
    failure: 'error object',
  },
  'tasks.get': {
    section: '4.15',
    method: 'GET',
    path: '/paas/v4/async-result/{id}',
    failure: 'error object',
  },
  'assistants.chat': {
    section: '4.16',
    method: 'POST',
    path: '/paas/v4/assistant',
    json: {
      'assistant_id!': text(1),
      'model!': word('glm-4-assistant', 'glm-4-alltools'),
      'messages!': messages,
      conversation_id: text(1),
      stream: flag,
      request_id: requestId,
      user_id: userId,
      do_sample: flag,
      attachments: list(object({ 'file_id!': text(1) })),
      metadata: open,
      extra_parameters: object({ translate: object({ 'from!': text(1), 'to!': text(1) }) }),
    },
    failure: 'code and message',
  },
  'assistants.list': {
    section: '4.17',
    method: 'POST',
    path: '/paas/v4/assistant/list',
    json: { 'assistant_id_list!': list(text(1)) },
    failure: 'error object',
  },
  'assistants.conversations': {
    section: 'notes 8',
    method: 'POST',
    path: '/paas/v4/assistant/conversation/list',
    json: { 'assistant_id!': text(1), page: whole(1), page_size: whole(1, 100) },
    failure: 'error object',
  },
  'layout.parse': {
    section: '4.18',
    method: 'POST',
    path: '/paas/v4/layout_parsing',
    json: {
      'model!': word('glm-ocr'),
      'file!': either(dataUri('application/pdf', 'image/png', 'image/jpeg'), text(8, 2048)),
      return_crop_images: flag,
      need_layout_visualization: flag,
      start_page_id: whole(1),
      end_page_id: whole(1),
      request_id: requestId,
      user_id: userId,
    },
    failure: 'error object',
  },
}

const megabyte = 1024 * 1024

/** Limits of service-notes 16. */
export const limitsOfSpec = {
  requestId: { min: 6, max: 64 },
  userId: { min: 6, max: 128 },
  transcription: { bytes: 25 * megabyte, seconds: 30, hotwords: 100, promptChars: 8000 },
  voiceClone: { bytes: 10 * megabyte },
  speech: { chars: 1024, minSpeed: 0.5, maxSpeed: 2, maxVolume: 10 },
  rerank: { queryChars: 4096, documents: 128, documentChars: 4096 },
  embeddings: { items: 64, tokens3: 3072, tokens2: 512, totalTokens2: 8192 },
  layout: { imageBytes: 10 * megabyte, pdfBytes: 50 * megabyte, pages: 100 },
  knowledge: { nameChars: 100 },
  slicing: { minChars: 20, maxChars: 2000 },
  retrieve: { queryChars: 1000, topK: 20, topN: 100, recallRatio: 100 },
  list: { pageSize: 100 },
} as const

/** Every section of the API specification that names an operation: each must have a row. */
export const sections = [
  '4.1',
  '4.2',
  '4.3',
  '4.4',
  '4.5',
  '4.6',
  '4.7',
  '4.8',
  '4.9',
  '4.10',
  '4.11',
  '4.12',
  '4.13',
  '4.14',
  '4.15',
  '4.16',
  '4.17',
  '4.18',
] as const

/** Codes of service-notes 14, grouped by the error that the user gets. */
export const codes: Readonly<Record<string, readonly string[]>> = {
  INVALID_INPUT: ['invalid_request', '1210', '1213', '1214', '1215', '1231'],
  MODEL_UNKNOWN: ['model_not_found', '1211'],
  NOT_IMPLEMENTED: ['not_implemented', '1212', '1221', '1222'],
  FILE_TOO_LARGE: ['request_too_large'],
  KEY_REJECTED: [
    'authentication_error',
    'invalid_api_key',
    'expired',
    '1000',
    '1001',
    '1002',
    '1003',
    '1004',
    '1005',
  ],
  PERMISSION_DENIED: [
    'permission_denied',
    '1110',
    '1111',
    '1112',
    '1120',
    '1121',
    '1220',
    '1311',
    '1313',
    '1314',
    '1315',
  ],
  CONTEXT_TOO_LONG: ['context_length_exceeded', '1261'],
  RATE_LIMITED: ['rate_limit_exceeded', '1302'],
  QUOTA_EXHAUSTED: [
    'insufficient_quota',
    'quota_exceeded',
    'usage_limit_reached',
    'usage_not_included',
    '1113',
    '1304',
    '1308',
    '1309',
    '1310',
    '1316',
    '1317',
    '1318',
    '1319',
    '1320',
    '1321',
  ],
  SERVER_ERROR: ['server_error', '1200', '1230', '1234'],
  OVERLOADED: ['server_is_overloaded', 'overloaded', 'slow_down', '1305'],
  CONTENT_BLOCKED: ['content_filter', 'cyber_policy', '1300', '1301'],
}

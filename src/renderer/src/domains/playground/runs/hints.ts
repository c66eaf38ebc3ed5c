import {
  findSentence,
  readSentence,
  type Sentence,
} from '../../../../../shared/provider/sentences.ts'

/** Hints of main for the fields of its operations (src/main/operations), by the keys of the page's translations. */
export const hintSentences = {
  inputItems: 'Text or list of input items',
  retrievable: 'Can be fetched later. Default: true',
  extra: 'More fields of the body, sent unchanged',
  response: 'The response',
  newestFirst: 'Default: newest first',
  lastItem: 'Last item of the previous page',
  lastFile: 'Last file of the previous page',
  voiceName: 'Must be unique',
  preview: 'Preview text',
  sampleId: 'ID of the uploaded sample; {from}–{to} seconds recommended',
  sampleText: 'Sample transcript',
  partOfName: 'Part of the name',
  voiceId: 'Voice ID',
  anyVoiceId: 'ID of a cloned or official voice',
  uploadRules:
    'Types and sizes depend on the purpose; voice samples: WAV or MP3, up to {bytes} bytes',
  uploadedFile: 'The uploaded file',
  file: 'The file',
  speechText: 'Text to speak, up to {n} characters',
  volume: 'Above {from}, up to {to}',
  maxTexts: 'Up to {n} texts of {chars} characters',
  onlyBest: 'Top n only; 0 for all',
  textsBack: 'Also returns the texts',
  endUser: 'End-user ID, {from}–{to} characters',
  question: 'Text, or {example}',
  images: 'Images for the last message',
  thinking: 'Also returns reasoning',
  continues: 'Continues a conversation',
  centimetres: 'Page sizes in centimeters',
  embeddingIds: '3 is Embedding-2, 11 is Embedding-3, 12 is Embedding-3-pro',
  contextual: 'Contextual embedding; can’t be turned off later',
  knowledge: 'The knowledge base',
  shareOfVectors: 'Semantic weight (mixed only), {from}–{to}',
  knowledgeTypes:
    '1 by heading, 2 questions and answers, 3 by row, 5 custom separators, 6 by page, 7 whole document',
  typeFiveChars: 'For type 5: {from}–{to} characters',
  typeFive: 'For type 5',
  onceOrMore: '{example}, one or more',
  document: 'The document',
  askedId: 'Request ID of the answer',
  nodeId: 'Retrieval node',
  embeddingTexts:
    'Up to {n} texts of {tokens} tokens per request (embedding-2: {each} each, {all} total)',
  dimensions: '{sizes}, or {last}; embedding-2: {n}',
  audioFile: 'WAV or MP3, up to {bytes} bytes and {n} seconds',
  previousTranscript: 'Previous transcript, up to {n} characters',
  words: 'Up to {n} terms',
  streamedText: 'Streams text. Default: true',
  typeOptions: 'Depends on the type: {example} or {other}',
  task: 'The task',
  assistantId: 'From assistants.list, or predefined',
  fileIds: 'IDs of uploaded files',
  trueAbsent: 'Default: true',
  noneAll: 'Default: all',
  pageFile: 'PDF (up to {bytes} bytes, {n} pages); PNG or JPEG (up to {pictureBytes} bytes)',
  address: 'URL instead of a file',
  pdfOnly: 'PDF only, from {n}',
  chars: 'Up to {n} characters',
  upTo: 'Up to {n}',
  absent: 'Default: {value}',
  from: 'From {n}',
  range: '{from}–{to}',
} as const

/** One of {@link hintSentences}. */
type Hint = keyof typeof hintSentences

const readers = (Object.keys(hintSentences) as Hint[]).map((name) =>
  readSentence(name, hintSentences[name], true),
)

/** Returns the key of a hint of main; null when the page has no translation for it. */
export const hintOf = (about: string): Sentence<Hint> | null =>
  findSentence(readers, about)?.sentence ?? null

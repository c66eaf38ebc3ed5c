import { findSentence, readSentence, type Sentence } from '../../../../shared/service/sentences.ts'

/** What main says of the fields of its operations (src/main/operations), by the names the page has words for. */
export const hintSentences = {
  inputItems: 'A text, or a list of input items',
  kept: 'Whether it can be read back later; true when absent',
  extra: 'Further fields of the body, sent as they are',
  response: 'The Response',
  newestFirst: 'Newest first when absent',
  lastItem: 'The last item of the page before',
  lastFile: 'The last file of the page before',
  voiceName: 'A name no other voice of yours has',
  preview: 'What the preview says',
  sampleId: 'Id of the uploaded sample; {from} to {to} seconds are recommended',
  sampleText: 'What the sample says',
  partOfName: 'Part of the name',
  voiceId: 'Id of the voice',
  anyVoiceId: 'Id of a voice, cloned or official',
  uploadRules:
    'The purpose says which kinds and sizes; a voice sample is wav or mp3, at most {bytes} bytes',
  uploadedFile: 'The uploaded file',
  file: 'The file',
  said: 'What is said; at most {n} characters',
  volume: 'Above {from}, at most {to}',
  textsOf: 'At most {n} texts of at most {chars} characters',
  onlyBest: 'Only the n best; 0 means all',
  textsBack: 'The texts come back too',
  endUser: 'Id of the end user; {from} to {to} characters',
  question: 'The question: a text, or {example}',
  pictures: 'Pictures that belong to the last message',
  thinking: 'Its reasoning is told too',
  goesOn: 'Continues a conversation',
  centimetres: 'Pages with their sizes in centimetres',
  embeddingIds: '3 is Embedding-2, 11 is Embedding-3, 12 is Embedding-3-pro',
  contextual: 'Context enhancement; it cannot be taken back',
  knowledge: 'The knowledge base',
  shareOfVectors: 'Share of vectors in mixed, {from} to {to}',
  knowledgeTypes:
    '1 by headings, 2 questions and answers, 3 rows, 5 own separators, 6 pages, 7 whole',
  typeFiveChars: 'For type 5: {from} to {to} characters',
  typeFive: 'For type 5',
  onceOrMore: '{example}, once or more',
  document: 'The document',
  askedId: 'The request_id of the conversation or text request',
  nodeId: 'The node that retrieved',
  embeddingTexts:
    'Texts; a call takes at most {n} of {tokens} tokens (embedding-2: {each} each, {all} in all)',
  dimensions: '{sizes} or {last}; embedding-2 has {n}',
  sound: 'wav or mp3; at most {bytes} bytes and {n} seconds',
  saidBefore: 'What was said before; at most {n} characters',
  words: 'At most {n} words',
  asHeard: 'Words come as they are heard; true when absent',
  kindTakes: 'What the kind takes: {example} or {other}',
  task: 'The task',
  assistantId: 'An id that assistants.list tells, or a predefined one',
  fileIds: 'Ids of uploaded files',
  trueAbsent: 'True when absent',
  noneAll: 'None: all',
  pageFile:
    'PDF of at most {bytes} bytes and {n} pages, or PNG or JPEG of at most {pictureBytes} bytes',
  address: 'An address, instead of a file',
  pdfOnly: 'PDF only, from {n}',
  chars: 'At most {n} characters',
  most: 'At most {n}',
  absent: '{value} when absent',
  from: 'From {n}',
  range: '{from} to {to}',
} as const

/** One of {@link hintSentences}. */
export type Hint = keyof typeof hintSentences

const readers = (Object.keys(hintSentences) as Hint[]).map((name) =>
  readSentence(name, hintSentences[name], true),
)

/** What a hint of main says, by its name; null when the page has no words of its own for it. */
export const hintOf = (about: string): Sentence<Hint> | null =>
  findSentence(readers, about)?.sentence ?? null

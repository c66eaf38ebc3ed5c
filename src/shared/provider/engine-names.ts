import { findSentence, readSentence, type Sentence } from './sentences.ts'

/** Names of on-device engines as in the responses; `{engine}` is another engine it relied on. */
export const engineNames = {
  none: 'none',
  noneHere: 'none on this computer',
  calculator: 'calculator of this computer',
  outlineReader: 'outline reader of this computer',
  pagePainter: 'outline reader and page painter of this computer',
  wordDrawing: 'a drawing of words on this computer',
  rules: 'rules of this computer',
  sentencePicker: 'sentence picking on this computer',
  functionNames: 'function names read from the input on this computer',
  assistants: 'assistants of this computer',
  tasks: 'tasks of this computer',
  files: 'files on this computer',
  responses: 'responses kept on this computer',
  voices: 'voice samples kept on this computer',
  knowledge: 'knowledge bases on this computer',
  encoderAndKnowledge: '{engine}; knowledge bases on this computer',
  quotes: 'quotes of the Library, ranked by {engine}',
  quotesAttached: 'quotes of the Library and attachments, ranked by {engine}',
  pages: 'PDF text layer and PP-OCRv4 (Chinese and English) on this computer',
  textFiles: 'text of the file, read on this computer',
  speech: 'Moonshine tiny (English)',
  text: 'Universal Sentence Encoder lite (English), n-grams (other languages)',
} as const

/** One of {@link engineNames}. */
export type EngineName = keyof typeof engineNames

const readers = (Object.keys(engineNames) as EngineName[]).map((name) =>
  readSentence(name, engineNames[name], true),
)

/** Returns the on-device engine named in a response; null for any other. */
export const engineOf = (name: string): Sentence<EngineName> | null =>
  findSentence(readers, name)?.sentence ?? null

import { findSentence, readSentence, type Sentence } from './sentences.ts'

/**
 * Notices of the on-device service, in English: its replies contain them (service-notes 4 has no field of its own for them), and
 * the page shows them in the reader's language. Values in braces differ from answer to answer.
 */
export const engineNotices = {
  silent: 'The recording is silent.',
  noWords: 'No English speech found. This engine only supports English.',
  uncertain: 'This transcript may be wrong. This engine only supports English.',
  optionsUnused: 'This engine doesn’t use context or custom vocabulary.',
  promptUnused: 'This engine doesn’t use context.',
  hotwordsUnused: 'This engine doesn’t use custom vocabulary.',
  promptLong: 'The context is longer than the recommended 8,000 characters.',
  quotes: 'No on-device language model. The answer quotes your sources.',
  quotesByWords: 'No on-device language model. The answer quotes sources ranked by keywords only.',
  quotesPassages: 'No on-device language model. The answer quotes its sources.',
  sentencesPicked: 'No on-device language model. Key sentences are quoted; some may be missing.',
  noTemperature: 'Temperature has no effect on-device.',
  imageTextOnly: 'Only text in images is read.',
  imageEmpty: 'No text found in the image.',
  imageInside: 'Images inside messages aren’t read. Attach them as files.',
  documentsUnread: 'The on-device agent doesn’t read attachments. Use an assistant instead.',
  libraryForWeb: 'Web search isn’t available on-device. Lectern searched your Library.',
  draftsForFiction: 'Fiction writing isn’t available on-device. Lectern searched your Library.',
  notesForCode: 'Coding isn’t available on-device. Lectern searched your Library.',
  nothingAttached: 'The attachments have no readable text.',
  noTranslation: 'Translation from {from} to {to} isn’t available on-device.',
  sumsOnly: 'No on-device language model. Only formulas and tables are calculated.',
  outlineDrawn: 'No on-device language model. Your outline is used as written.',
  outlinePages: 'Your outline is used as written. For images and a PDF, use the slides agent.',
  wordsDrawn: 'No on-device image model. The image only shows your text.',
  promptDrawn: 'No on-device image model. The image only shows your prompt.',
  sentencesSorted: 'No on-device language model. Sentences are sorted, not rewritten.',
  fewRules: 'On-device grammar checks cover basic English only.',
  assistantsSimple: 'On-device assistants quote your Library and use simple tools.',
  argumentsRead: 'No on-device language model. Arguments are copied from the input.',
  noWeb: 'Web search isn’t available on-device.',
  inputNotSeen: 'Images and files in the input weren’t read.',
  slidesOutline: 'Your outline is used as written, without search or images.',
  slidesLeft:
    'Not shown: the last {entries} of {of} entries, from “{from}” on. The maximum is {max} pages.',
  noCallback: 'Callbacks aren’t available on-device. Check the document’s status instead.',
  fetchesNothing: 'URLs aren’t loaded on-device. Download the file and upload it.',
  oneEncoder: 'All on-device embedding models give the same results.',
  projected: 'English vectors were projected from {from} to {to} dimensions.',
  hashed: 'The on-device encoder only supports English. Other languages are compared by wording.',
  someHashed:
    'Texts {texts} (counting from 0) aren’t in English. Their vectors can’t be compared with the others.',
  rankedByWords: 'On-device reranking only supports English. Other texts are compared by wording.',
  someRankedByWords: 'Documents compared by wording because they aren’t in English: {n} of {of}.',
  sliceIds:
    'On-device, request_id is the messageId of the answer, and node_id is the callId of one of its calls.',
  cannotSpeak: 'Speech isn’t available on-device. You hear the voice sample, not your text.',
  cannotImitate: 'Cloning isn’t available on-device. The preview plays the sample.',
  voicesPlay: 'PRIVATE voices play their sample. OFFICIAL voices aren’t available on-device.',
  pagesDamaged: 'Couldn’t read {pages}: the file is damaged.',
  pagesScanned: 'Text on {pages} was recognized from images and may have errors.',
  pagesEmpty: 'No text found on {pages}.',
  formulasPlain: 'Formulas appear as plain text.',
  usageEstimate: 'Usage is estimated.',
  officeFile:
    'Old Office files and archives aren’t supported on-device. Save as DOCX, PPTX, or XLSX.',
  otherFile:
    'This file type ({ending}) isn’t supported on-device. Use PDF, Office, an image, or text.',
  otherFileBare: 'This file type isn’t supported on-device. Use PDF, Office, an image, or text.',
  fileName: 'File names can have up to {max} characters.',
  fileEmpty: 'The file is empty.',
  fileLarge: 'Files can be up to {max} MB.',
  knowledgeFull: 'On-device knowledge base storage is full.',
} as const

/** One of {@link engineNotices}. */
type EngineNotice = keyof typeof engineNotices

/** A known notice with its values, or the text of another provider. */
type NoticePart = Sentence<EngineNotice> | { readonly text: string }

const readers = (Object.keys(engineNotices) as EngineNotice[]).map((name) =>
  readSentence(name, engineNotices[name]),
)

/**
 * Notices about what the on-device engines can do at all, and those that the answer itself says too: a chat shows them in the
 * details of an answer, not below each one.
 */
const generalNotices: ReadonlySet<EngineNotice> = new Set<EngineNotice>([
  'quotes',
  'quotesByWords',
  'quotesPassages',
  'sentencesPicked',
  'noTemperature',
  'libraryForWeb',
  'draftsForFiction',
  'notesForCode',
  'noTranslation',
  'nothingAttached',
  'sumsOnly',
  'outlineDrawn',
  'outlinePages',
  'wordsDrawn',
  'sentencesSorted',
  'fewRules',
])

/** Whether a part of a notice is about one answer in particular. */
export const isAboutAnswer = (part: NoticePart): boolean =>
  'text' in part || !generalNotices.has(part.known)

/** Splits a notice: known sentences by their name, anything else as received. */
export function noticeParts(notice: string): readonly NoticePart[] {
  const parts: NoticePart[] = []
  let rest = notice.trim()
  while (rest !== '') {
    const found = findSentence(readers, rest)
    const before = (found ? rest.slice(0, found.from) : rest).trim()
    if (before !== '') parts.push({ text: before })
    if (!found) break
    parts.push(found.sentence)
    rest = rest.slice(found.to).trim()
  }
  return parts
}

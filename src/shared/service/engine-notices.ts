import { findSentence, readSentence, type Sentence } from './sentences.ts'

/**
 * What this computer says beside an answer, one English sentence each: the service sends the sentences (service-notes 4 has no
 * field of its own for them), the page tells them again in the reader's language. Words in braces differ from answer to answer.
 */
export const engineNotices = {
  silent: 'The sound is silent.',
  noWords: 'No English words were recognised. This engine understands English only.',
  uncertain:
    'The words are uncertain: the speech may be unclear or in another language. This engine understands English only.',
  optionsUnused: 'This engine uses neither the prompt nor the hotwords.',
  promptUnused: 'This engine does not use the prompt.',
  hotwordsUnused: 'This engine does not use the hotwords.',
  promptLong: 'The prompt is longer than the recommended 8000 characters.',
  quotes: 'This computer has no language model: the answer quotes what was found.',
  quotesByWords:
    'This computer has no language model: the answer quotes what was found, ranked by shared words alone because the text engine is unavailable.',
  quotesPassages:
    'This computer has no language model: the answer quotes the passages that were found.',
  sentencesPicked:
    'This computer has no language model: it picks sentences by cue words and keywords, as they were said, and may miss some.',
  noTemperature: 'The temperature has no use here.',
  pictureWords: 'Pictures are read for their words; what they show is not understood.',
  pictureEmpty: 'No words were recognised in a picture of the question.',
  pictureInside: 'Pictures inside messages were not looked at: attach them as files.',
  documentsUnread:
    'The agent of this computer looks into knowledge bases alone: documents inside the question were not read. The assistants read them.',
  libraryForWeb:
    'There is no network here, so I searched no web. I looked into your Library instead.',
  draftsForFiction: 'I cannot write a story here. I looked for what your own drafts say.',
  notesForCode: 'I cannot write a program here. I looked for what your own notes say.',
  nothingAttached: 'Nothing that can be read was attached.',
  noTranslation:
    'I cannot translate from {from} to {to} here: this computer has no language model.',
  sumsOnly:
    'This computer has no language model: it calculates what is written as a sum or table and draws no conclusions.',
  outlineDrawn: 'This computer has no language model: it draws the outline as it is written.',
  outlinePages:
    'This computer has no language model: the pages are the outline as it is written. The slides agent makes pictures and a PDF of it.',
  wordsDrawn:
    'This computer has no image model: the picture shows the words and nothing that they describe.',
  promptDrawn:
    'This computer has no image model: the picture shows the words of the prompt and nothing that they describe.',
  sentencesSorted: 'This computer has no language model: the sentences are sorted, not rewritten.',
  fewRules: 'This computer knows a few rules of English grammar only; other errors may be left.',
  assistantsSimple:
    'The assistants of this computer have no language model: they quote the Library and use simple tools.',
  argumentsRead: 'This computer has no language model: arguments are only what the input says.',
  noWeb: 'This computer searches no web: the search found nothing.',
  inputNotSeen: 'Pictures and files in the input were not looked at.',
  slidesOutline:
    'This computer has no language model: the pages are the outline as it is written, with no search and no pictures of its subject.',
  slidesLeft:
    'The last {entries} of {of} entries of the outline are not shown, from “{from}” on: a deck has at most {most} pages.',
  noCallback: 'This computer calls nobody back: ask for the state of the document.',
  fetchesNothing:
    'This computer fetches nothing from the network: download the file and upload it instead.',
  oneEncoder:
    'This computer has one encoder for all vectorisation models: they give the same results here.',
  projected: 'The vectors of English texts were projected from {from} to {to} dimensions.',
  hashed:
    'The vectors are hashed n-grams, which compare words and not meanings: the sentence encoder of this computer reads English only.',
  someHashed:
    'The vectors of the texts {texts} (from 0) are hashed n-grams, not to be compared with the others: the sentence encoder of this computer reads English only.',
  rankedByWords:
    'The documents were compared with the query by their words and characters, not by meaning: the sentence encoder of this computer reads English only.',
  someRankedByWords:
    '{n} of {of} documents were compared with the query by their words and characters, not by meaning: the sentence encoder of this computer reads English only.',
  sliceIds:
    'On this computer request_id is the messageId of an agent answer and node_id the callId of one of its calls. Pages count from 1; positions are in the units of width and height.',
  cannotSpeak:
    'This computer cannot speak. What is heard is the sample of the voice, not the input; speed moves the pitch as well.',
  cannotImitate:
    'This computer cannot imitate a voice. It keeps the sample and plays it back; the preview is the sample and does not say the input.',
  voicesPlay:
    'Voices of the type PRIVATE play their sample back. This computer cannot speak with voices of the type OFFICIAL.',
  pagesDamaged: 'Nothing could be read of {pages}: the file is damaged there.',
  pagesScanned: 'The text of {pages} was read from the picture: it can hold wrong characters.',
  pagesEmpty: 'No text was found on {pages}.',
  formulasPlain: 'Formulas are not recognised on this computer: they stand as plain text.',
  usageEstimate: 'The usage is an estimate.',
  officeFile:
    'This computer reads PDF, PNG, JPEG, Markdown, text and CSV; office documents and archives it cannot read. Save it as PDF or CSV.',
  otherFile:
    'This computer reads PDF, PNG, JPEG, Markdown, text and CSV; this file is none of them ({ending}).',
  otherFileBare:
    'This computer reads PDF, PNG, JPEG, Markdown, text and CSV; this file is none of them.',
  fileName: 'The name of a file must have 1 to {most} characters',
  fileEmpty: 'The file is empty',
  fileLarge: 'The file must be at most {most} MB',
  knowledgeFull: 'The knowledge bases of this computer are full',
} as const

/** One of {@link engineNotices}. */
export type EngineNotice = keyof typeof engineNotices

/** A known notice with the words it names, or what another service wrote. */
export type NoticePart = Sentence<EngineNotice> | { readonly text: string }

const readers = (Object.keys(engineNotices) as EngineNotice[]).map((name) =>
  readSentence(name, engineNotices[name]),
)

/** A notice taken apart: known sentences by their name, anything else as the service wrote it. */
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

import type { ChatMessage } from '../model/chat.ts'
import type { AnswerStep } from './answer-step.ts'
import { imagesBySlice } from './chunk-images.ts'
import { firstPageOf, maxBoxes, pageAlone, type SourcePlace, sourceBoxes } from './places.ts'
import { citedNumbers, shownNumbers } from './references.ts'
import { foundIn, nothing, type Found, type MeetingMoment } from './sources-found.ts'
import {
  fieldsOf,
  listOf,
  numberAt,
  textAt,
  countAt,
  flagAt,
  opened,
  type Fields,
} from './sources-values.ts'

/** `row` belongs to a spreadsheet; `slice` was reported only by its position (service-notes 11). */
type SourceKind = Found['kind']

export interface Source {
  /** From 1: first the sources that the answer cites, in citation order, then the others. */
  readonly number: number
  /** Number used by the citations of the answer. */
  readonly ref: number
  readonly isCited: boolean
  readonly kind: SourceKind
  /** Name of the document or title of the page; '' if not reported. */
  readonly title: string
  readonly text: string
  readonly score: number | null
  readonly place: SourcePlace
  /** Set if it was said in a meeting of the Library. */
  readonly moment: MeetingMoment | null
  /** URL of the document or page, as reported; '' if there is none. */
  readonly link: string
  /** IDs at the provider; '' if there are none. */
  readonly documentId: string
  readonly knowledgeId: string
  readonly images: readonly { readonly text: string; readonly url: string }[]
  /** Indexes of the message's steps that returned it; none for a slice fetched by its IDs. */
  readonly steps: readonly number[]
}

type SourcedMessage = Pick<ChatMessage, 'steps' | 'slices' | 'text'>

/** Maximum number of sources of one message. */
const maxSources = 2000
/** Maximum characters of a name, and maximum characters of a valid URL. */
const maxNameLength = 1000
const maxAddressLength = 8000

/**
 * Returns the sources of an answer by their numbers: the results of its tools, then slices that were fetched by their
 * IDs and are not among them. Citations refer to a source by the number the provider reports (`ref`), otherwise by a
 * running number over all results in order, from 0 if a citation uses 0. Malformed data results in fewer sources, never
 * in a failure.
 */
export function sourcesOf(message: SourcedMessage): readonly Source[] {
  const found = message.steps
    .flatMap((step, at) => foundInStep(step).map((one) => ({ ...one, steps: [at] })))
    .slice(0, maxSources)
  const cited = shownNumbers(message.text)
  const numbered = numberOf(found, cited.has(0) ? 0 : 1)
  const slices = message.slices.flatMap(({ data }) => slicesIn(data)).slice(0, maxSources)
  const all = withSlices(numbered, slices)
  const counted = (kind: Found['counting']): 0 | null =>
    firstPageOf(
      all
        .filter(([, { counting }]) => counting === kind)
        .flatMap(([, { boxes }]) => boxes.map(({ page }) => page)),
    )
  const firstPages = {
    position: counted('position'),
    index: counted('index'),
    slice: counted('slice'),
  }
  let next = cited.size + 1
  return all
    .toSorted(([a], [b]) => a - b)
    .map(([ref, one]) => {
      const shown = cited.get(ref)
      const names = { number: shown ?? next, ref, isCited: shown !== undefined }
      if (shown === undefined) next += 1
      return sourceOf(names, one, firstPages[one.counting])
    })
    .toSorted((a, b) => a.number - b.number)
}

/** Returns the displayed number of sources: the cited ones, otherwise all. */
export const sourceCount = (sources: readonly Source[], text: string): number =>
  sources.length === 0 ? 0 : citedNumbers(text).length || sources.length

function sourceOf(
  names: Pick<Source, 'number' | 'ref' | 'isCited'>,
  found: Found,
  firstPage: 0 | null,
): Source {
  const { kind, title, text, score, link, documentId, knowledgeId, images, steps } = found
  const { boxes, sheet, line, hidden, moment } = found
  return {
    ...names,
    kind,
    title: shortened(title),
    text,
    score,
    link: link.length > maxAddressLength ? '' : link,
    documentId,
    knowledgeId,
    images: images.filter(({ url }) => url.length <= maxAddressLength),
    steps,
    moment,
    place: {
      boxes: boxes.slice(0, maxBoxes),
      firstPage,
      sheet: sheet === null ? null : shortened(sheet),
      line,
      hidden,
    },
  }
}

/** Shortens a name for display on one line. */
const shortened = (name: string): string =>
  name.length > maxNameLength ? `${name.slice(0, maxNameLength).toWellFormed()}…` : name

function foundInStep(step: AnswerStep): readonly Found[] {
  if (step.kind === 'call')
    return step.result === null || step.result.status === 'error'
      ? []
      : foundIn(step.result.value, step.tool)
  if (step.kind !== 'tool') return []
  const { type, outputs } = step.call
  if (type !== 'retrieval' && type !== 'web_browser') return []
  return listOf(outputs).flatMap((output) => {
    const fields = fieldsOf(output)
    if (!fields) return []
    const text = textAt(fields, 'text', 'content')
    const link = textAt(fields, 'link', 'url')
    if (text === '' && link === '') return []
    const title = textAt(fields, 'document', 'title')
    const kind = type === 'retrieval' ? 'passage' : 'web'
    const boxes = pageAlone(numberAt(fields, 'page'))
    const moment = momentOf(fields)
    return [{ ...nothing, kind, title, text, link, boxes, counting: 'index', moment }]
  })
}

/** Only This computer reports meetings: it quotes the Library. */
function momentOf(fields: Fields): MeetingMoment | null {
  const meetingId = textAt(fields, 'meeting_id')
  const seconds = countAt(fields, 'seconds')
  return meetingId === '' || seconds === null ? null : { meetingId, seconds }
}

type Numbered = readonly [number: number, found: Found]

/** Numbers from the provider apply to the whole answer, unless two different items have the same one. */
function numberOf(found: readonly Found[], first: 0 | 1): readonly Numbered[] {
  const byRef = new Map<number, Found>()
  const rest: Found[] = []
  let clash = false
  for (const one of found) {
    const known = one.ref === null ? undefined : byRef.get(one.ref)
    if (one.ref === null) rest.push(one)
    else if (!known) byRef.set(one.ref, one)
    else if (isSame(known, one)) byRef.set(one.ref, fuller(known, one))
    else clash = true
  }
  if (clash || byRef.size === 0) return found.map((one, at) => [at + first, one])
  let next = Math.max(...byRef.keys()) + 1
  return [...byRef, ...rest.map((one): Numbered => [next++, one])]
}

const isSame = (a: Found, b: Found): boolean =>
  a.sliceId !== '' && b.sliceId !== '' ? a.sliceId === b.sliceId : a.text === b.text

/** Merges duplicates: keeps the position if only one of them has it. */
const fuller = (a: Found, b: Found): Found => ({
  ...(a.boxes.length > 0 || b.boxes.length === 0 ? a : b),
  steps: [...a.steps, ...b.steps],
})

/**
 * Adds slices: one that matches a passage gives it its position; any other becomes a source of its own, after the
 * others.
 */
function withSlices(
  numbered: readonly Numbered[],
  slices: readonly Found[],
): readonly (readonly [number, Found])[] {
  if (slices.length === 0) return numbered
  const all = new Map(numbered)
  const byWords = new Map(numbered.map(([number, one]) => [bare(one.text), number] as const))
  let next = Math.max(0, ...all.keys()) + 1
  for (const slice of slices) {
    const number = slice.text === '' ? undefined : byWords.get(bare(slice.text))
    const known = number === undefined ? undefined : all.get(number)
    if (number === undefined || !known || isOther(known, slice)) {
      byWords.set(bare(slice.text), next)
      all.set(next++, slice)
      continue
    }
    const { boxes, hidden, sheet, line, images } = slice
    all.set(number, {
      ...known,
      // Both have a position: the one requested by its IDs is exact.
      ...(hidden || boxes.length > 0 ? { boxes, counting: 'slice' } : {}),
      ...(sheet === null ? {} : { kind: 'row', sheet }),
      line: line ?? known.line,
      hidden: hidden || known.hidden,
      images: [...known.images, ...images],
      title: known.title || slice.title,
      link: known.link || slice.link,
    })
  }
  return [...all]
}

const isOther = (a: Found, b: Found): boolean =>
  a.documentId !== '' && b.documentId !== '' && a.documentId !== b.documentId

const bare = (text: string): string => text.slice(0, 8000).replaceAll(/\s+/g, '')

/** Maximum number of documents in a response, and of slices in a document. */
const maxDocuments = 500
const maxSlices = 1000

/**
 * Returns the slices of a response with citation positions (service-notes 11): its `data`, or the whole response. Rows
 * with the same text are one slice.
 */
function slicesIn(data: unknown): readonly Found[] {
  const reply = fieldsOf(opened(data)) ?? {}
  const inner = fieldsOf(opened(reply['data'])) ?? {}
  const documents = opened(reply['document_slices'] ?? inner['document_slices'])
  return listOf(documents).slice(0, maxDocuments).flatMap(slicesOfDocument)
}

function slicesOfDocument(value: unknown): readonly Found[] {
  const row = fieldsOf(value)
  if (!row) return []
  const about = fieldsOf(opened(row['document'])) ?? {}
  const hidden = flagAt(row, 'hide_positions')
  const images = imagesOf(opened(row['images']))
  const slices = new Map<string, Found>()
  const rows = listOf(opened(row['slice_info'])).slice(0, maxSlices)
  for (const [at, one] of rows.entries()) {
    const fields = fieldsOf(one)
    if (!fields) continue
    const slice = sliceOf(fields, about, hidden)
    // Without text, each row is a slice of its own.
    const key = slice.text === '' ? `#${at}` : `${slice.documentId}\n${slice.text}`
    const known = slices.get(key)
    slices.set(key, known ? { ...known, boxes: [...known.boxes, ...slice.boxes] } : slice)
  }
  const found = [...slices.values()]
  const own = imagesBySlice(
    found.map(({ text }) => text),
    images,
  )
  return found.map((slice, at) => ({ ...slice, images: own[at] ?? [] }))
}

function sliceOf(fields: Fields, about: Fields, hidden: boolean): Found {
  const sheet = textAt(fields, 'sheet_name') || null
  const line = countAt(fields, 'line')
  return {
    ...nothing,
    kind: sheet === null ? 'slice' : 'row',
    title: textAt(about, 'name'),
    text: textAt(fields, 'text'),
    link: textAt(about, 'url'),
    documentId: textAt(fields, 'document_id') || textAt(about, 'id'),
    boxes: hidden ? [] : sourceBoxes(opened(fields['position'])),
    counting: 'slice',
    sheet,
    // Nothing is reported about a hidden slice; line 0 of a text means none.
    line: hidden || (sheet === null && line === 0) ? null : line,
    hidden,
  }
}

function imagesOf(value: unknown): Found['images'] {
  return listOf(value)
    .slice(0, maxSlices)
    .flatMap((one) => {
      const fields = fieldsOf(one)
      const url = fields ? textAt(fields, 'cos_url', 'url') : ''
      return fields && url !== '' ? [{ text: textAt(fields, 'text'), url }] : []
    })
}

import { pageAlone, sourceBoxes, type SourceBox } from './places.ts'
import {
  countAt,
  fieldsOf,
  listOf,
  numberAt,
  opened,
  textAt,
  type Fields,
} from './sources-values.ts'

/** A moment of a meeting of the Library. */
export interface MeetingMoment {
  readonly meetingId: string
  readonly seconds: number
}

/** Search result before it has a number. */
export interface Found {
  readonly kind: 'passage' | 'web' | 'row' | 'slice'
  readonly title: string
  readonly text: string
  readonly score: number | null
  readonly link: string
  readonly documentId: string
  readonly knowledgeId: string
  readonly sliceId: string
  /** Its own number, if the provider reports one. */
  readonly ref: number | null
  readonly boxes: readonly SourceBox[]
  /** `index`: pages without rectangles, which may be numbered differently from positions. */
  readonly counting: 'position' | 'index' | 'slice'
  readonly sheet: string | null
  readonly line: number | null
  readonly hidden: boolean
  readonly moment: MeetingMoment | null
  readonly images: readonly { readonly text: string; readonly url: string }[]
  /** Indexes of the answer's steps that returned it. */
  readonly steps: readonly number[]
}

const words = (names: string): readonly string[] => names.trim().split(/\s+/)

/** Maximum number of items found in one result. */
const maxInResult = 1000
/** Names of fields that contain lists in results, most likely first. */
const listNames = words(`
  results result data chunks slices passages items list documents docs
  references sources hits records contents nodes outputs output search_result search_results web_search
`)
const innerNames = ['chunk', 'document', 'node', 'slice', 'segment', '_source', 'payload']
const textNames = words(`
  text content chunk passage snippet page_content
  pageContent document body summary description contextual_text
`)
const evidence = words(`
  score rerank_score relevance_score similarity metadata ref position
  doc_id docId document_id documentId doc_name link url knowledge_id
`)
const searching = /retriev|recall|search|knowledge|检索|搜索|知识/i
const rewriting = /rewrit|改写/i

/**
 * Returns the items found in a tool's result (service-notes 6, 7): a list of passages or web pages, bare or in any of
 * the usual envelopes.
 */
export function foundIn(result: unknown, tool: string): readonly Found[] {
  if (rewriting.test(tool)) return []
  return itemsOf(opened(result), searching.test(tool), 0)
    .slice(0, maxInResult)
    .flatMap((item) => {
      const found = foundOf(item)
      return found ? [found] : []
    })
}

function itemsOf(value: unknown, trusted: boolean, depth: number): readonly unknown[] {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    // If one element is an item, all are: the citation numbers count every one.
    if (!list.some((one) => isItem(one, trusted))) return []
    return list.filter((one) => fieldsOf(one) !== null || isItem(one, trusted))
  }
  const fields = fieldsOf(value)
  if (!fields || depth > 4) return []
  for (const name of listNames) {
    const inner = Object.hasOwn(fields, name) ? opened(fields[name]) : undefined
    if (typeof inner !== 'object') continue
    const items = itemsOf(inner, trusted, depth + 1)
    if (items.length > 0) return items
  }
  return isItem(fields, false) ? [fields] : []
}

/**
 * Returns whether a value is a passage: it has text and a source or a score; results of a search tool need neither.
 */
function isItem(value: unknown, trusted: boolean): boolean {
  if (typeof value === 'string') return trusted && value.trim() !== ''
  const fields = fieldsOf(value)
  if (!fields || textAt(flat(fields), ...textNames, 'image_url') === '') return false
  return trusted || evidence.some((name) => Object.hasOwn(fields, name))
}

/** Merges the fields of an item: its own fields take precedence over nested ones, and those over metadata. */
function flat(item: Fields): Fields {
  const inners = innerNames.map((name) => fieldsOf(item[name])).filter((one) => one !== null)
  const all = [item, ...inners]
  const metadata = all.map((one) => fieldsOf(opened(one['metadata'])) ?? {})
  const merged: Record<string, unknown> = {}
  for (const fields of [...all, ...metadata])
    for (const [name, value] of Object.entries(fields))
      // Empty values are ignored.
      if (!Object.hasOwn(merged, name) && value !== '' && value !== null && !isInner(name, value))
        merged[name] = value
  return merged
}

const isInner = (name: string, value: unknown): boolean =>
  name === '__proto__' || (innerNames.includes(name) && typeof value === 'object')

function foundOf(item: unknown): Found | null {
  if (typeof item === 'string') return { ...nothing, text: item }
  const whole = fieldsOf(item)
  if (!whole) return null
  const fields = flat(whole)
  const documentId = textAt(fields, 'doc_id', 'docId', 'document_id', 'documentId', 'file_id')
  const knowledgeId = textAt(fields, 'knowledge_id', 'knowledgeId', 'know_id', 'kb_id')
  const link = textAt(fields, 'doc_url', 'link', 'url', 'source_url', 'href')
  const positions = listOf(opened(fields['positions']))
  const boxes = sourceBoxes(positions.length > 0 ? positions : opened(fields['position']))
  const page = numberAt(fields, 'page_index', 'pageIndex', 'page_number', 'page_num', 'page')
  const sheet = textAt(fields, 'sheet_name', 'sheetName', 'sheet') || null
  const line = countAt(fields, 'line', 'row')
  const isWeb = documentId === '' && knowledgeId === '' && boxes.length === 0 && isAddress(link)
  return {
    ...nothing,
    kind: isWeb ? 'web' : sheet === null ? 'passage' : 'row',
    title: textAt(fields, 'doc_name', 'docName', 'document_name', 'file_name', 'title', 'name'),
    text: textAt(fields, ...textNames),
    score: numberAt(fields, 'score', 'rerank_score', 'relevance_score', 'similarity'),
    link,
    documentId,
    knowledgeId,
    sliceId: textAt(fields, '_id', 'slice_id', 'chunk_id', 'id'),
    ref: refOf(fields),
    boxes: boxes.length > 0 ? boxes : pageAlone(page),
    counting: boxes.length > 0 ? 'position' : 'index',
    sheet,
    line,
    images: isAddress(textAt(fields, 'image_url'))
      ? [{ text: '', url: textAt(fields, 'image_url') }]
      : [],
  }
}

/** Item without any information. */
export const nothing: Found = {
  kind: 'passage',
  title: '',
  text: '',
  score: null,
  link: '',
  documentId: '',
  knowledgeId: '',
  sliceId: '',
  ref: null,
  boxes: [],
  counting: 'position',
  sheet: null,
  line: null,
  hidden: false,
  moment: null,
  images: [],
  steps: [],
}

function refOf(fields: Fields): number | null {
  const ref = numberAt(fields, 'ref', 'data_ref', 'dataRef', 'ref_id', 'refId', 'reference')
  return ref !== null && Number.isSafeInteger(ref) && ref >= 0 && ref < 1_000_000 ? ref : null
}

/** Returns whether a text is a web URL. */
const isAddress = (text: string): boolean => /^https?:\/\/\S{1,8000}$/i.test(text)

import { setImmediate } from 'node:timers/promises'
import { pageMark } from '../../../../shared/documents/page-mark.ts'
import { rangesOf } from '../../../../shared/documents/ranges.ts'
import type { DocumentText, PageLength } from '../../../../shared/model/document-transfer.ts'
import { partsForQuestion } from '../../../../shared/text/question-parts.ts'
import { estimateTokens } from '../../../../shared/text/token-estimate.ts'
import { AppError } from '../../../errors.ts'
import type { Store } from '../../../library-database/store.ts'
import { requestedPages } from './planning.ts'
import type { Block } from '../../../../shared/model/document.ts'
import { edgeLabels } from '../worker/reading/page-markdown.ts'

/** Selects the text of a document. */
interface TextRequest {
  readonly id: string
  /** Page ranges as users write them; empty means all. */
  readonly pages: string
  readonly pageMarks: boolean
}

/**
 * Texts of documents, page by page; yields to the main thread between batches. Throws NOT_FOUND, BAD_REQUEST for invalid
 * pages.
 */
export interface GivenTexts {
  /** Yields each page that has text, with its mark. */
  pages(request: TextRequest): AsyncGenerator<{ readonly page: number; readonly text: string }>
  /**
   * Returns as many whole pages as fit into `maxTokens`, and the lengths of all: the pages about the question if there is one,
   * otherwise from the first one.
   */
  text(
    request: TextRequest & {
      readonly maxTokens: number
      readonly lengthsOnly: boolean
      readonly question?: string
    },
  ): Promise<DocumentText>
}

/** Pages read at once: some milliseconds of work. */
const pagesAtOnce = 20

export function createGivenTexts({ documents }: Pick<Store, 'documents'>): GivenTexts {
  const requestedRanges = ({ id, pages: wanted }: TextRequest) => {
    if (!documents.head(id)) throw new AppError('NOT_FOUND', 'Document not found')
    const count = documents.facts(id)?.pages ?? 0
    return count === 0 ? [] : requestedPages(wanted, count)
  }

  async function* pages(
    request: TextRequest,
  ): AsyncGenerator<{ readonly page: number; readonly text: string }> {
    for (const range of requestedRanges(request))
      for (let first = range.first; first <= range.last; first += pagesAtOnce) {
        const last = Math.min(range.last, first + pagesAtOnce - 1)
        const blocks = documents.blocks(request.id, { first, last })
        for (const [page, on] of Map.groupBy(blocks, (block) => block.page)) {
          const text = givenText(on)
          if (text !== '')
            yield { page, text: request.pageMarks ? `${pageMark(page)}\n\n${text}` : text }
        }
        await setImmediate()
      }
  }

  return {
    pages,
    async text({ maxTokens, lengthsOnly, question = '', ...request }) {
      const lengths: PageLength[] = []
      const choice = partsForQuestion(question)
      const parts: {
        readonly page: number
        readonly text: string
        readonly tokens: number
        readonly shared: ReturnType<typeof choice.sharedBy>
      }[] = []
      for await (const { page, text } of pages(request)) {
        const tokens = estimateTokens(text).likely
        lengths.push({ page, chars: text.length, tokens })
        // While the pages are read, which yields between batches.
        parts.push({ page, text: lengthsOnly ? '' : text, tokens, shared: choice.sharedBy(text) })
      }
      const given = choice.choose(parts, maxTokens).flatMap((at) => parts[at] ?? [])
      const wanted = requestedRanges(request).reduce(
        (sum, { first, last }) => sum + last - first + 1,
        0,
      )
      return {
        text: lengthsOnly ? '' : given.map(({ text }) => text).join('\n\n'),
        given: rangesOf(given.map(({ page }) => page)),
        pages: lengths,
        without: wanted - lengths.length,
        maxTokens,
      }
    },
  }
}

/**
 * Image in Markdown or HTML: the recipient of the text cannot see it, and its URL means nothing elsewhere.
 */
const imagePattern = /!\[([^[\]\n]{0,500})\]\([^()\n]{0,4096}\)|<img\b[^<>]{0,2000}>/giu
const onlyAddress = /^\s*(?:https?:|data:)\S*\s*$/iu

/**
 * Returns the text of a page for use elsewhere: Markdown of its blocks in reading order, with the user's edits instead
 * of the returned text, without running heads, page numbers and images; the texts of images are included.
 */
const givenText = (blocks: readonly Block[]): string =>
  blocks
    .filter(({ label, nativeLabel }) => !edgeLabels.has(nativeLabel ?? label))
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n\n')

function blockText({ kind, label, nativeLabel, content, edited }: Block): string {
  const text = (edited ?? content).trim()
  if (kind === 'formula')
    return text === '' || /^(\$|\\\[|\\\()/.test(text) ? text : `$$\n${text}\n$$`
  const cleaned = onlyAddress.test(text) ? '' : text.replace(imagePattern, '$1').trim()
  if (kind !== 'title' || cleaned === '' || cleaned.startsWith('#')) return cleaned
  return `${(nativeLabel ?? label) === 'doc_title' ? '#' : '##'} ${cleaned.replace(/\s*\n\s*/gu, ' ')}`
}

import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { fillSentence } from '../../shared/provider/sentences.ts'
import type { ReadPage } from '../engines/pages/messages.ts'

/** Page numbers as people write them: `page 3`, `pages 1 and 2`, `pages 1, 2, and 5–9`. */
function pageList(numbers: readonly number[]): string {
  const ranges: [from: number, to: number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  const parts = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
  const text = new Intl.ListFormat('en-US').format(parts)
  return `${numbers.length === 1 ? 'page' : 'pages'} ${text}`
}

/** Describes in plain English how the pages were read and what is missing. */
export function layoutNotice(pages: readonly ReadPage[]): string {
  const damaged = pages.filter((page) => page.damaged).map(({ number }) => number)
  const numbers = (source: ReadPage['source']): number[] =>
    pages.filter((page) => page.source === source && !page.damaged).map(({ number }) => number)
  const scanned = numbers('ocr')
  const empty = numbers('nothing')
  const sentences = [
    damaged.length > 0 && fillSentence(engineNotices.pagesDamaged, { pages: pageList(damaged) }),
    scanned.length > 0 && fillSentence(engineNotices.pagesScanned, { pages: pageList(scanned) }),
    empty.length > 0 && fillSentence(engineNotices.pagesEmpty, { pages: pageList(empty) }),
    engineNotices.formulasPlain,
    engineNotices.usageEstimate,
  ]
  return sentences.filter((sentence) => sentence !== false).join(' ')
}

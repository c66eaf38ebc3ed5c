import { formatClock } from '../../../../../shared/text/clock.ts'
import type { Source } from '../../../../../shared/chats/sources.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { externalLink } from '../../../kit/use-external-links.ts'

/** Labels for a source of an answer. */
export function useSourceLabels() {
  const { t, number, language } = useTranslation()

  const titleOf = ({ title, link }: Pick<Source, 'title' | 'link'>): string =>
    title || externalLink(link)?.place || t('chatSources.untitled')
  /** Page, row or line in its document, or time in its meeting; '' if it is not known. */
  const placeOf = ({ place, moment }: Pick<Source, 'place'> & Partial<Source>): string => {
    if (moment) return formatClock(moment.seconds)
    const { sheet, line, boxes, firstPage, hidden } = place
    if (sheet !== null) {
      const row = line === null ? [] : [t('chatSources.row', { n: number(line) })]
      return [sheet, ...row].join(' · ')
    }
    const pages = [...new Set(boxes.map(({ page }) => page + (firstPage === 0 ? 1 : 0)))]
    const [first, ...others] = pages.toSorted((a, b) => a - b)
    const last = others.at(-1)
    if (hidden || first === undefined)
      return line === null ? '' : t('chatSources.line', { n: number(line) })
    return last === undefined
      ? t('chatSources.page', { n: number(first) })
      : t('chatSources.pages', { first: number(first), last: number(last) })
  }
  const scoreOf = ({ score }: Pick<Source, 'score'>): string =>
    score === null
      ? ''
      : t('chatSources.score', {
          score: score.toLocaleString(language.value, { maximumFractionDigits: 2 }),
        })
  return { titleOf, placeOf, scoreOf }
}

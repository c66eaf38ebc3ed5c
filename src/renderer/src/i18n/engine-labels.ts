import { engineOf } from '../../../shared/service/engine-names.ts'
import { noticeParts } from '../../../shared/service/engine-notices.ts'
import { sentenceGap } from './format.ts'

/** What this needs of vue-i18n. */
type Translate = (key: string, named: Record<string, unknown>) => string

/** What a service said beside an answer: the sentences of this computer in the reader's language, others as they came. */
export const noticeText = (notice: string, t: Translate, language: string): string =>
  noticeSentences(notice, t, language).join(sentenceGap(language))

/** The same sentence by sentence: what several answers say alike need not be read twice. */
export const noticeSentences = (notice: string, t: Translate, language: string): string[] =>
  noticeParts(notice).map((part) => {
    if ('text' in part) return part.text
    const { pages, ...values } = part.values ?? {}
    return t(`engineNotices.${part.known}`, {
      ...values,
      ...(pages !== undefined && { pages: pagesText(pages, language) }),
    })
  })

/** The name of what made an answer: the engines of this computer in the reader's language, others as they call themselves. */
export function engineText(name: string, t: Translate): string {
  const engine = engineOf(name)
  if (!engine) return name
  const other = engine.values?.['engine']
  return t(
    `engineNames.${engine.known}`,
    other === undefined ? {} : { engine: engineText(other, t) },
  )
}

/** `pages 1, 2, and 5–9` as Chinese writes it; English stays. */
const pagesText = (pages: string, language: string): string =>
  language.startsWith('zh')
    ? `第 ${pages.replace(/^pages? /, '').replaceAll(/,? and |, /g, '、')} 页`
    : pages

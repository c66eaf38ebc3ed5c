import { engineOf } from '../../../shared/provider/engine-names.ts'
import { isAboutAnswer, noticeParts } from '../../../shared/provider/engine-notices.ts'
import { sentenceGap } from './format.ts'

/** The part of vue-i18n that is needed. */
type Translate = (key: string, named: Record<string, unknown>) => string

/** Notices of a provider's answer: those of the on-device service translated, others unchanged. */
export const noticeText = (notice: string, t: Translate, language: string): string =>
  noticeSentences(notice, t, language).join(sentenceGap(language))

/** The sentences of a notice that are about one answer in particular; '' without any. */
export const answerNoticeText = (notice: string, t: Translate, language: string): string =>
  sentencesOf(noticeParts(notice).filter(isAboutAnswer), t, language).join(sentenceGap(language))

/** A notice as separate sentences, so that sentences shared by several answers are shown only once. */
export const noticeSentences = (notice: string, t: Translate, language: string): string[] =>
  sentencesOf(noticeParts(notice), t, language)

const sentencesOf = (
  parts: ReturnType<typeof noticeParts>,
  t: Translate,
  language: string,
): string[] =>
  parts.map((part) => {
    if ('text' in part) return part.text
    const { pages, ...values } = part.values ?? {}
    return t(`engineNotices.${part.known}`, {
      ...values,
      ...(pages !== undefined && { pages: pagesText(pages, language) }),
    })
  })

/** The display name of the engine of an answer: on-device engines translated, others unchanged. */
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

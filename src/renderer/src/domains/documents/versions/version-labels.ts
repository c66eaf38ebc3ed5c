import { rangesText, readRanges } from '../../../../../shared/documents/ranges.ts'
import type { DocumentVersion } from '../../../../../shared/model/document.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { useDocument } from '../documents-store.ts'

/** Labels of versions: number, requested pages, start time and engine. */
export function useVersionLabels() {
  const document = useDocument()
  const { t, number, engine, dateTime } = useTranslation()

  /** Returns "page 7", "pages 3-5, 9"; '' for a version of all pages. */
  const pages = ({ options }: Pick<DocumentVersion, 'options'>): string => {
    const read = readRanges(options.pages, document.pages)
    if (!read.ok || rangesText(read.ranges, document.pages) === '') return ''
    const [only] = read.ranges
    const one = read.ranges.length === 1 && only?.first === only?.last ? 1 : 2
    return t('documentVersions.pages', { pages: rangesText(read.ranges) }, one)
  }
  const name = (version: DocumentVersion): string =>
    t('documentVersions.name', { n: number(version.number) })
  const about = (version: DocumentVersion): string =>
    [pages(version), dateTime(version.createdAt), version.engine ? engine(version.engine) : '']
      .filter((word) => word !== '')
      .join(' · ')
  return { name, pages, about }
}

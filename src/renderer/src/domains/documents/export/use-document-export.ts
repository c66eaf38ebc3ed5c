import { computed } from 'vue'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { useShell } from '../../../lib/app-store.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import type { Ask, PrintedPage } from '../../audio/index.ts'
import { useDocument } from '../documents-store.ts'
import { useHighlights } from '../highlights/highlights-store.ts'
import { documentFormats, type DocumentExportPreferences } from './document-export-preferences.ts'

/** The export formats of the open document, and the requests for its files. */
export function useDocumentExport() {
  const client = useClient()
  const shell = useShell()
  const document = useDocument()
  const { t, language } = useTranslation()
  const highlights = useHighlights()
  const highlighted = computed(() => highlights.highlights.length > 0)
  const browserPrints = computed(() => shell.info?.host !== 'electron')
  const formats = computed(() =>
    documentFormats.map((value) => ({
      value,
      label: t(`document.formats.${value}.name`),
      purpose:
        value === 'pdf'
          ? t(browserPrints.value ? 'print.prints' : 'print.writes')
          : t(`document.formats.${value}.for`),
    })),
  )

  const requestOf = (
    preferences: DocumentExportPreferences,
    pages: string,
  ): RequestOf<'documents.export'> => ({
    id: document.document?.id ?? '',
    format: preferences.format,
    language: language.value === 'zh' ? 'zh' : 'en',
    images: preferences.images ? 'files' : 'none',
    spans: preferences.repeat ? 'repeat' : 'first',
    pages,
    pageMarks: preferences.pageMarks,
    highlights: highlighted.value && preferences.highlights,
    details: preferences.details,
    dpi: preferences.dpi,
    margin: preferences.margin,
  })
  /** The request for the file in the format of the preferences, of these pages; all if empty. */
  const fileOf =
    (preferences: DocumentExportPreferences, pages = ''): Ask =>
    (callId) =>
      client.request('documents.export', { ...requestOf(preferences, pages), callId })
  /** The page that the browser prints instead of a PDF; null where Lectern writes the file itself. */
  function pageOf(preferences: DocumentExportPreferences, pages = ''): PrintedPage | null {
    if (preferences.format !== 'pdf' || !browserPrints.value) return null
    const request = requestOf({ ...preferences, format: 'html' }, pages)
    return () => client.request('documents.export', request)
  }
  return { formats, highlighted, fileOf, pageOf }
}

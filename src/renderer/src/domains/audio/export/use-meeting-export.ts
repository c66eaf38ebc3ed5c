import { computed } from 'vue'
import type { Reply } from '../../../../../shared/contract/reply.ts'
import type { Media } from '../../../../../shared/model/library.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { useShell } from '../../../lib/app-store.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useMeeting } from '../meetings/meetings-store.ts'
import {
  audioFormats,
  isAudio,
  textFormats,
  type ExportFormat,
  type ExportPreferences,
} from './export-preferences.ts'
import { audioRequest, textRequest, type ExportScope } from './request.ts'
import type { Ask } from './use-export.ts'

/** Writes the page that the browser prints. */
export type PrintedPage = () => Promise<Reply<{ readonly media: Media }>>

/** The export formats of the opened meeting, and the requests for its files. */
export function useMeetingExport() {
  const client = useClient()
  const shell = useShell()
  const store = useMeeting()
  const { t, language } = useTranslation()
  const browserPrints = computed(() => shell.info?.host !== 'electron')
  const choices = (formats: readonly ExportFormat[]) =>
    formats.map((value) => ({
      value,
      label: t(`export.formats.${value}.name`),
      purpose:
        value === 'pdf'
          ? t(browserPrints.value ? 'print.prints' : 'print.writes')
          : t(`export.formats.${value}.for`),
    }))
  const texts = computed(() => choices(textFormats))
  /** None for a meeting without its audio. */
  const audio = computed(() => (store.meeting?.hasAudio ? choices(audioFormats) : []))
  const id = (): string => store.meeting?.id ?? ''

  /** The request for the file in the format of the preferences. */
  const fileOf =
    (preferences: ExportPreferences, scope: ExportScope): Ask =>
    (callId) => {
      const { format, channel } = preferences
      if (!isAudio(format))
        return client.request(
          'meetings.export',
          textRequest(id(), format, preferences, scope, language.value),
        )
      const channels = store.meeting?.channels.length ?? 1
      const request = audioRequest(id(), format, channel, channels, scope.range)
      return client.request('meetings.exportAudio', { ...request, callId })
    }
  /** The page that the browser prints instead of a PDF; null where Lectern writes the file itself. */
  function pageOf(preferences: ExportPreferences, scope: ExportScope): PrintedPage | null {
    if (preferences.format !== 'pdf' || !browserPrints.value) return null
    const request = textRequest(id(), 'pdf', preferences, scope, language.value)
    return () => client.request('meetings.export', { ...request, format: 'html' })
  }
  return { texts, audio, fileOf, pageOf }
}

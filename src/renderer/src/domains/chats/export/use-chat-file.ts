import { computed } from 'vue'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { useShell } from '../../../lib/app-store.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useSave } from '../../library/index.ts'
import { chatFormats, type ChatExportPreferences } from './chat-export-preferences.ts'

/** The export formats of chats, and their files; failures are shown like those of {@link useSave}. */
export function useChatFile(failures: 'panel' | 'toast' = 'panel') {
  const client = useClient()
  const shell = useShell()
  const { t, language } = useTranslation()
  const { busy, failure, saveExport, leave, cancel } = useSave(failures)
  /** A window writes a PDF itself, a browser prints it: one at a time. */
  const browserPrints = computed(() => shell.info?.host !== 'electron')
  const formats = computed(() =>
    chatFormats.map((value) => ({
      value,
      label: t(`chatExport.formats.${value}.name`),
      purpose:
        value !== 'pdf'
          ? t(`chatExport.formats.${value}.for`)
          : t(browserPrints.value ? 'print.prints' : 'print.writes'),
    })),
  )
  /** Whether the browser prints the chat instead of Lectern writing a file. */
  const prints = ({ format }: ChatExportPreferences): boolean =>
    format === 'pdf' && browserPrints.value
  /** Saves one chat, or an archive of several; returns whether it was saved. */
  async function save(
    ids: readonly string[],
    preferences: ChatExportPreferences,
  ): Promise<boolean> {
    const [id, ...also] = ids
    if (id === undefined) return false
    return saveExport(() =>
      client.request('chats.export', {
        id,
        also,
        ...preferences,
        language: language.value.startsWith('zh') ? 'zh' : 'en',
      }),
    )
  }
  return { formats, prints, busy, failure, save, leave, cancel }
}

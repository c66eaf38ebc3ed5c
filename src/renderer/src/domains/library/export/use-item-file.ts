import type { ItemKind, ItemSummary } from '../../../../../shared/model/library.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'

/** The file of an item: its name below the media URL, and the name of a copy. */
export interface ItemFile {
  readonly media: string
  readonly name: string
}

/** Whether items of a kind can have a file of their own: a recording, or an imported original. */
export const mayHaveFile = (kind: ItemKind): boolean => kind === 'meeting' || kind === 'document'

/** Returns a function that finds the file of a listed item; null if it has none (yet). */
export function useItemFile(): (
  item: Pick<ItemSummary, 'id' | 'kind' | 'title'>,
) => Promise<ItemFile | null> {
  const client = useClient()
  const { t } = useTranslation()
  return async ({ id, kind, title }) => {
    if (kind === 'meeting') {
      const reply = await client.request('meetings.get', { id })
      if (!reply.ok || !reply.data.meeting.hasAudio) return null
      const { originalMediaId, originalName } = reply.data.meeting
      if (originalMediaId !== null && originalName !== null)
        return { media: originalMediaId, name: originalName }
      return { media: `meeting-${id}`, name: `${title || t('recording.untitled')}.wav` }
    }
    if (kind === 'document') {
      const reply = await client.request('documents.get', { id })
      const { mediaId, name } = reply.ok ? reply.data.document : { mediaId: null, name: '' }
      return mediaId === null ? null : { media: mediaId, name }
    }
    return null
  }
}

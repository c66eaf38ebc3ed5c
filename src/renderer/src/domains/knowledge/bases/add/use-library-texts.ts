import { ref } from 'vue'
import type { Failure, Reply } from '../../../../../../shared/contract/reply.ts'
import type { ItemSummary } from '../../../../../../shared/model/library.ts'
import { localAccountId } from '../../../../../../shared/provider/profiles.ts'
import { useClient } from '../../../../lib/bridge/use-client.ts'
import { useTranslation } from '../../../../i18n/use-translation.ts'
import { useKnowledgeBase } from '../base-store.ts'
import { sourceOf, type ChosenSource } from './sources.ts'

/**
 * Items of the Library as files: documents as Markdown or, if not parsed, unchanged; meetings and chats as exports.
 */
export function useLibraryTexts() {
  const client = useClient()
  const base = useKnowledgeBase()
  const { language } = useTranslation()
  const writing = ref('')

  const spoken = (): 'zh' | 'en' => (language.value.startsWith('zh') ? 'zh' : 'en')
  const file = async (text: string, name: string): Promise<Reply<ChosenSource>> => {
    const reply = await client.upload(new File([text], name, { type: 'text/markdown' }))
    return reply.ok ? { ok: true, data: sourceOf(reply.data.media, name) } : reply
  }
  const nameOf = (title: string): string => `${title.replace(/[\\/:*?"<>|]+/g, ' ').trim()}.md`

  const written = async (item: ItemSummary): Promise<Reply<ChosenSource>> => {
    const { id, title, kind } = item
    if (kind === 'document' && !isParsed(item)) {
      const reply = await client.request('documents.get', { id })
      if (!reply.ok) return reply
      const { mediaId, facts, name } = reply.data.document
      if (mediaId === null) return { ok: false, error: gone(name) }
      return { ok: true, data: sourceOf({ id: mediaId, bytes: facts?.bytes ?? 0 }, name) }
    }
    if (kind === 'document') {
      const reply = await client.request('documents.text', {
        id,
        // The on-device engine reads the marks as pages, for its citations.
        pageMarks: base.base?.accountId === localAccountId,
        tokens: maxTokens,
      })
      if (!reply.ok) return reply
      const made = await file(reply.data.text, nameOf(title))
      return made.ok ? { ok: true, data: { ...made.data, itemId: id } } : made
    }
    if (kind === 'meeting') {
      const options = { speakers: true, timestamps: false, gaps: false }
      const reply = await client.request('meetings.export', {
        id,
        format: 'md',
        options,
        language: spoken(),
      })
      return reply.ok ? { ok: true, data: sourceOf(reply.data.media, nameOf(title)) } : reply
    }
    const request = { id, format: 'md', steps: false, language: spoken() } as const
    const reply = await client.request('chats.export', request)
    return reply.ok
      ? { ok: true, data: sourceOf({ id: reply.data.mediaId, bytes: 0 }, nameOf(title)) }
      : reply
  }
  /** Writes the text of an item to a stored file. */
  const write = async (item: ItemSummary): Promise<ChosenSource | Failure> => {
    writing.value = item.title
    const reply = await written(item)
    writing.value = ''
    return reply.ok ? reply.data : reply.error
  }
  return { writing, write }
}

/** Maximum number of tokens, above the full text of any document. */
const maxTokens = 2_000_000

/** Whether a document has parsed text; otherwise its file is used. */
export const isParsed = ({ document }: Pick<ItemSummary, 'document'>): boolean =>
  document !== null && document.state !== null

const gone = (name: string): Failure => ({
  code: 'FILE_MISSING',
  message: 'The file no longer exists',
  retriable: false,
  params: { name },
  at: Date.now(),
})

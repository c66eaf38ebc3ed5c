import { onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Source } from '../../../../../shared/chats/sources.ts'
import type { DocumentItem } from '../../../../../shared/model/document.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { saveLink, linkedTo } from './linked.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** How a document of the Library was identified: it was added from there, it has the same name, or the user chose it. */
type KnownBy = 'push' | 'name' | 'user'

/** The document of the Library that a source is from. */
export function useSourceDocument(source: () => Source | null) {
  const client = useClient()
  const document = shallowRef<DocumentItem | null>(null)
  const by = ref<KnownBy | null>(null)
  const state = ref<'none' | 'looking' | 'absent' | 'there'>('none')
  const latest = createLatest()

  const load = async (id: string): Promise<DocumentItem | null> => {
    if (document.value?.id === id) return document.value
    const reply = await client.request('documents.get', { id })
    return reply.ok ? reply.data.document : null
  }
  const located = async (one: Source): Promise<readonly [id: string, by: KnownBy] | null> => {
    const linked = linkedTo(localStorage, keyOf(one))
    if (linked !== null) return [linked, 'user']
    const { documentId, title } = one
    const reply = await client.request('chats.locate', {
      documentId: documentId.slice(0, 256),
      name: title.slice(0, 500),
    })
    if (!reply.ok || reply.data.itemId === null) return null
    return [reply.data.itemId, reply.data.by ?? 'name']
  }
  const resolveDocument = async (): Promise<void> => {
    const isLatest = latest.start()
    const one = source()
    if (!one || keyOf(one) === '' || one.kind === 'web' || one.moment) {
      document.value = null
      state.value = 'none'
      return
    }
    if (state.value !== 'there') state.value = 'looking'
    const known = await located(one)
    const found = known && (await load(known[0]))
    if (!isLatest()) return
    document.value = found
    by.value = found && known ? known[1] : null
    state.value = found ? 'there' : 'absent'
  }
  /** Sets the document that the user chose; null removes the choice. */
  const link = async (itemId: string | null): Promise<void> => {
    const one = source()
    if (!one) return
    saveLink(localStorage, keyOf(one), itemId)
    await resolveDocument()
  }
  watch(() => [source()?.kind, keyOf(source())] as const, resolveDocument, { immediate: true })
  onScopeDispose(
    client.onEvent((event) => {
      if (event.type === 'library.changed' && state.value === 'absent') void resolveDocument()
    }),
  )
  return { document, by, state, link }
}

/** Key of a provider document: its ID, else its name. */
const keyOf = (source: Pick<Source, 'documentId' | 'title'> | null): string =>
  source === null ? '' : source.documentId || source.title

import { shallowRef, watch } from 'vue'
import { useRoute } from 'vue-router'
import type { Failure } from '../../../../../shared/bridge/reply.ts'
import { predefinedAssistants } from '../../../../../shared/service/assistants.ts'
import { documentQuestion } from '../../../../../shared/service/document-question.ts'
import { callerId, useClient } from '../../../api/use-client.ts'
import { useWords } from '../../../i18n/use-words.ts'
import { fromQuery, type DocumentHandOver } from './hand-over.ts'

/** The input of an operation that asks about the document in the address; null where there is none, or it is not there yet. */
export function useHandedOver() {
  const client = useClient()
  const route = useRoute()
  const { t } = useWords()
  const input = shallowRef<Readonly<Record<string, unknown>> | null>(null)
  const failure = shallowRef<Failure | null>(null)
  let turn = 0

  const withText = async (
    given: DocumentHandOver,
  ): Promise<Readonly<Record<string, unknown>> | Failure> => {
    const { documentId: id, pages, question } = given
    const [about, text] = await Promise.all([
      client.request('documents.get', { id }),
      client.request('documents.text', { id, pages }),
    ])
    if (!about.ok) return about.error
    if (!text.ok) return text.error
    const { title } = about.data.document
    const message = { title, text: text.data.text, question }
    return {
      assistantId: predefinedAssistants.find(({ purpose }) => purpose === 'chat')?.id ?? '',
      messages: [documentQuestion(message, t('handover.instruction'), callerId())],
    }
  }

  watch(
    () => fromQuery(route.query),
    async (given, before) => {
      if (JSON.stringify(given) === JSON.stringify(before)) return
      const mine = ++turn
      input.value = null
      failure.value = null
      if (!given) return
      const { baseId, question } = given
      const made =
        baseId === ''
          ? await withText(given)
          : { messages: [question], retrieval: { knowledgeIds: [baseId] } }
      if (mine !== turn) return
      if ('code' in made && 'message' in made) failure.value = made as Failure
      else input.value = made
    },
    { immediate: true },
  )
  return { input, failure }
}

import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { SummaryTemplate } from '../../../../../shared/model/meeting.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { templateRequest, type TemplateDraft } from './template-draft.ts'

/** Templates of summaries: built-in and the user's. */
export const useTemplates = defineStore('summary-templates', () => {
  const client = useClient()
  const templates = shallowRef<readonly SummaryTemplate[]>([])
  const loaded = ref(false)
  const failure = shallowRef<Failure | null>(null)

  const settle = (
    reply: Awaited<ReturnType<typeof client.request<'meetings.templates'>>>,
  ): Failure | null => {
    if (!reply.ok) return reply.error
    templates.value = reply.data.templates
    loaded.value = true
    return null
  }
  const load = async (): Promise<void> => {
    failure.value = settle(await client.request('meetings.templates', {}))
  }
  /** Saves a template and returns its ID, or the reason of the failure. */
  const save = async (
    draft: TemplateDraft,
  ): Promise<
    { readonly ok: true; readonly id: string } | { readonly ok: false; readonly error: Failure }
  > => {
    const before = new Set(templates.value.map(({ id }) => id))
    const reply = await client.request('meetings.saveTemplate', {
      template: templateRequest(draft),
    })
    const error = settle(reply)
    if (error) return { ok: false, error }
    const added = templates.value.find(({ id }) => !before.has(id))
    return { ok: true, id: draft.id ?? added?.id ?? '' }
  }
  const remove = async (id: string): Promise<Failure | null> =>
    settle(await client.request('meetings.removeTemplate', { id }))

  return { templates, loaded, failure, load, save, remove }
})

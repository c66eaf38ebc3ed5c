import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../../../shared/contract/routes.ts'
import { useClient } from '../../../../lib/bridge/use-client.ts'
import { useSamples } from '../samples-store.ts'
import type { ScriptLanguage } from './scripts.ts'

/** Imports samples: files that are first sent to main, and ranges that main already has. */
export function useSampleIntake(onTaken: (id: string) => void) {
  const client = useClient()
  const samples = useSamples()
  const busy = ref(false)
  const failure = shallowRef<Failure | null>(null)

  async function take(
    from: RequestOf<'voices.createSample'>['from'],
    language: ScriptLanguage,
    title?: string,
  ): Promise<void> {
    const reply = await samples.createSample({
      from,
      language,
      ...(title !== undefined && { title }),
    })
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) onTaken(reply.data.id)
  }
  async function takeFile(
    file: File,
    language: ScriptLanguage,
    recorded?: { readonly title: string },
  ): Promise<void> {
    if (busy.value) return
    busy.value = true
    const sent = await client.upload(file)
    if (sent.ok)
      await take(
        { mediaId: sent.data.media.id, recorded: recorded !== undefined },
        language,
        recorded?.title,
      )
    else failure.value = sent.error
    busy.value = false
  }
  async function takeSpan(
    from: Extract<RequestOf<'voices.createSample'>['from'], { meetingId: string }>,
    language: ScriptLanguage,
  ): Promise<void> {
    if (busy.value) return
    busy.value = true
    await take(from, language)
    busy.value = false
  }
  return { busy, failure, takeFile, takeSpan }
}

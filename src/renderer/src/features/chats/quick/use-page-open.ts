import { onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'
import { useClient } from '../../../api/use-client.ts'

/** Goes on with the conversation that the quick window hands over; for the main window. */
export function usePageOpen(isMain: () => boolean): void {
  const client = useClient()
  const router = useRouter()
  const off = client.onEvent((event) => {
    if (event.type === 'page.open' && isMain()) void router.push(`/chats/${event.conversationId}`)
  })
  onScopeDispose(off)
}

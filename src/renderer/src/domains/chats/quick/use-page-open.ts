import { onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'
import { routeOf } from '../../../../../shared/links.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useToasts } from '../../../kit/toasts.ts'

/**
 * Shows content that is opened from outside the page: the chat of the quick window, the recording of a notification, an
 * item by its link, an archive; for the main window.
 */
export function usePageOpen(isMain: () => boolean): void {
  const client = useClient()
  const router = useRouter()
  const toasts = useToasts()
  const off = client.onEvent((event) => {
    if (!isMain()) return
    if (event.type === 'page.open') void router.push(`/chats/${event.conversationId}`)
    if (event.type === 'page.link') {
      if (event.link) void router.push(routeOf(event.link))
      else toasts.show('links.unknown')
    }
    if (event.type === 'page.archive') void router.push('/settings/storage')
    if (event.type === 'page.recording') void router.push(`/recordings/${event.id}`)
  })
  onScopeDispose(off)
}

import type { Router } from 'vue-router'
import type { Client } from '../../../lib/bridge/client.ts'

/** Route of the quick window's page. */
const quickPath = '/quick'

/**
 * Opens the quick window: the host's own, otherwise a small browser window, otherwise the route in this page.
 */
export async function openQuick(
  client: Pick<Client, 'request'>,
  router: Pick<Router, 'push'>,
  host: 'electron' | 'loopback' | undefined,
): Promise<void> {
  if (host === 'electron') {
    await client.request('quick.show', {})
    return
  }
  // An opened window shares this tab's session storage, including the tab's key.
  const opened = window.open(`#${quickPath}`, 'lectern-quick', 'popup,width=680,height=460')
  if (opened === null) await router.push(quickPath)
  else opened.focus()
}

import type { Router } from 'vue-router'
import type { Client } from '../../../api/client.ts'

/** Where the quick window's page lies. */
export const quickPath = '/quick'

/** Brings up the quick window: the host's own, else a small window of the browser, else this page's place. */
export async function openQuick(
  client: Pick<Client, 'request'>,
  router: Pick<Router, 'push'>,
  host: 'electron' | 'loopback' | undefined,
): Promise<void> {
  if (host === 'electron') {
    await client.request('quick.show', {})
    return
  }
  // A window that this one opens shares its tab's storage, and with it the key of the tab.
  const opened = window.open(`#${quickPath}`, 'lectern-quick', 'popup,width=680,height=460')
  if (opened === null) await router.push(quickPath)
  else opened.focus()
}

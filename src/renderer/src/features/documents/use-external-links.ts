import { shallowRef } from 'vue'
import { useClient } from '../../api/use-client.ts'
import { linkAddress } from '../../markdown/links.ts'
import { useToasts } from '../../ui/toasts.ts'
import { useShell } from '../shell/store.ts'

/** A link that leads out of a document, as somebody is asked about it. */
export interface ExternalLink {
  readonly url: string
  readonly kind: 'site' | 'mail'
  /** What can be judged of it: the whole host in its ASCII form, or the mail address. */
  readonly place: string
}

/** What is shown of a link's address; null for one that is never opened: http, https and mailto without credentials are. */
export function externalLink(address: string): ExternalLink | null {
  const url = linkAddress(address)
  if (url === null) return null
  const { protocol, host, pathname } = new URL(url)
  return protocol === 'mailto:'
    ? { url, kind: 'mail', place: pathname }
    : { url, kind: 'site', place: host }
}

/** Opens links that lead out of a document: in a browser's page after a question; a window's own host asks by itself. */
export function useExternalLinks() {
  const client = useClient()
  const shell = useShell()
  const toasts = useToasts()
  /** The link that is being asked about. */
  const requested = shallowRef<ExternalLink | null>(null)

  /** Whether it was handed to the system. */
  const open = async ({ url }: ExternalLink): Promise<boolean> => {
    const reply = await client.request('app.openExternal', { url })
    return reply.ok && reply.data.opened
  }
  const offer = (address: string): void => {
    const link = externalLink(address)
    if (!link) toasts.show('documentPages.linkRefused')
    else if (shell.info?.host === 'electron') void open(link)
    else requested.value = link
  }
  return { pendingLink: requested, offer, open }
}

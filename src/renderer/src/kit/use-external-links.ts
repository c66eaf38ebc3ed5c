import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { useClient } from '../lib/bridge/use-client.ts'
import { linkAddress } from '../lib/markdown/links.ts'
import { useToasts } from './toasts.ts'
import { useShell } from '../lib/app-store.ts'

/** A link that leads out of a document, as shown in the confirmation. */
export interface ExternalLink {
  readonly url: string
  readonly kind: 'site' | 'mail'
  /** The part a user can verify: the full host in ASCII, or the mail address. */
  readonly place: string
}

/**
 * Returns what is shown of a link's URL; null for one that is never opened (only http, https and mailto without credentials
 * are).
 */
export function externalLink(address: string): ExternalLink | null {
  const url = linkAddress(address)
  if (url === null) return null
  const { protocol, host, pathname } = new URL(url)
  return protocol === 'mailto:'
    ? { url, kind: 'mail', place: pathname }
    : { url, kind: 'site', place: host }
}

/**
 * Opens links that lead out of a document: in a browser page after a confirmation (ExternalLinkDialog, in the root
 * component); the host of a window asks itself.
 */
export const useExternalLinks = defineStore('external-links', () => {
  const client = useClient()
  const shell = useShell()
  const toasts = useToasts()
  /** The link waiting for confirmation. */
  const pendingLink = shallowRef<ExternalLink | null>(null)

  /** Returns whether it was passed to the system. */
  const open = async ({ url }: ExternalLink): Promise<boolean> => {
    const reply = await client.request('app.openExternal', { url })
    return reply.ok && reply.data.opened
  }
  const offer = (address: string): void => {
    const link = externalLink(address)
    if (!link) toasts.show('documentPages.linkRefused')
    else if (shell.info?.host === 'electron') void open(link)
    else pendingLink.value = link
  }
  return { pendingLink, offer, open }
})

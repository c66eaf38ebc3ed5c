import { linkTo, type ItemLink } from '../../../shared/links.ts'
import { useToasts } from './toasts.ts'

/** Copies the `lectern:` address of an item or a place in it, and says whether that went. */
export function useCopyLink(): (link: ItemLink) => Promise<void> {
  const toasts = useToasts()
  return async (link) => {
    try {
      await navigator.clipboard.writeText(linkTo(link))
      toasts.show('links.copied')
    } catch {
      toasts.show('links.notCopied')
    }
  }
}

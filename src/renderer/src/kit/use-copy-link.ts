import { linkTo, type ItemLink } from '../../../shared/links.ts'
import { useToasts } from './toasts.ts'

/** Copies the `lectern:` link of an item or of a position in it, and shows whether it succeeded. */
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

import { shallowRef } from 'vue'
import type { Block } from '../../../../shared/model/document.ts'
import { readMedia } from '../../api/read-media.ts'
import { useClient } from '../../api/use-client.ts'
import { useToasts } from '../../ui/toasts.ts'
import { createBlockCopy } from './copy/use-block-copy.ts'
import { useDocument } from './store.ts'

/** Copying blocks of the opened document: at once by key, or by a choice at the button that asked. */
export function useCopying() {
  const client = useClient()
  const document = useDocument()
  const toasts = useToasts()

  /** Address of a block cut out of its page; null when it cannot be had. */
  const cropOf = async (block: Block): Promise<string | null> => {
    const { id } = document
    if (id === null) return null
    const reply = await client.request('documents.crop', { id, blockId: block.id })
    return reply.ok ? client.mediaUrl(reply.data.media.id) : null
  }
  const copier = createBlockCopy(async (block) => {
    const url = await cropOf(block)
    const bytes = url === null ? null : await readMedia(url, 0, new AbortController().signal)
    return bytes && new Blob([bytes], { type: 'image/png' })
  })
  /** The block whose ways to be copied are shown, and the button that asked. */
  const copying = shallowRef<{ readonly block: Block; readonly anchor: HTMLElement } | null>(null)
  const copyNow = async (block: Block): Promise<void> =>
    toasts.show((await copier.copy(block)) ? 'documentCopy.done' : 'documentCopy.failed')
  const copyFrom = (block: Block, anchor: HTMLElement | null): void => {
    if (anchor) copying.value = { block, anchor }
    else void copyNow(block)
  }
  return { cropOf, copier, copying, copyNow, copyFrom }
}

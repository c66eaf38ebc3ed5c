import { shallowRef } from 'vue'
import type { Block } from '../../../../shared/model/document.ts'
import { readMedia } from '../../lib/bridge/read-media.ts'
import { useClient } from '../../lib/bridge/use-client.ts'
import { useToasts } from '../../kit/toasts.ts'
import { createBlockCopy } from './copy/use-block-copy.ts'
import { useDocument } from './documents-store.ts'

/** Copies blocks of the opened document: immediately with the keyboard, or in a format chosen in a menu. */
export function useCopying() {
  const client = useClient()
  const document = useDocument()
  const toasts = useToasts()

  /** Returns the URL of a block cropped from its page; null if there is none. */
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
  /** The block whose copy formats are shown, and the button that opened the menu. */
  const copying = shallowRef<{ readonly block: Block; readonly anchor: HTMLElement } | null>(null)
  const copyNow = async (block: Block): Promise<void> =>
    toasts.show((await copier.copy(block)) ? 'documentCopy.done' : 'documentCopy.failed')
  const copyFrom = (block: Block, anchor: HTMLElement | null): void => {
    if (anchor) copying.value = { block, anchor }
    else void copyNow(block)
  }
  return { cropOf, copier, copying, copyNow, copyFrom }
}

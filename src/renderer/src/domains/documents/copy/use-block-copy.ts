import type { Block } from '../../../../../shared/model/document.ts'
import { plainBlock } from '../../../lib/markdown/plain-block.ts'
import {
  clipOf,
  copyChoices,
  joinedMarkdown,
  type CopyChoice,
  type CopyForm,
} from './copy-forms.ts'
import { shallowRef } from 'vue'
import { readMedia } from '../../../lib/bridge/read-media.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { useDocument } from '../documents-store.ts'

/** Copies blocks in their available formats. */
export interface BlockCopy {
  /** Returns the copy formats of a block, the most likely first. */
  choices(block: Block): readonly CopyChoice[]
  /** Copies a block to the clipboard, by default in its most likely format; returns false when that failed. */
  copy(block: Block, form?: CopyForm): Promise<boolean>
  /** Copies several blocks to the clipboard as one Markdown text, in reading order. */
  copyAll(blocks: readonly Block[]): Promise<boolean>
}

/** Creates the copier; `picture` returns a block cropped from its page as a PNG, null on failure. */
export function createBlockCopy(imageOf: (block: Block) => Promise<Blob | null>): BlockCopy {
  const write = async (items: Record<string, string | Blob | Promise<Blob>>): Promise<boolean> => {
    try {
      await navigator.clipboard.write([new ClipboardItem(items)])
      return true
    } catch {
      // Refused, for example without focus: nothing was copied, and the caller reports it.
      return false
    }
  }
  return {
    choices: (block) => copyChoices(block, plainBlock),
    async copy(block, form) {
      const chosen = form ?? copyChoices(block, plainBlock)[0]?.form ?? 'text'
      // Passed as a promise: by the time the image is drawn, a browser no longer accepts the key press as a user gesture.
      if (chosen === 'image')
        return write({
          'image/png': imageOf(block).then((blob) => blob ?? Promise.reject(new Error('No image'))),
        })
      const clip = clipOf(block, chosen, plainBlock)
      if (!clip) return false
      return write({
        'text/plain': new Blob([clip.text], { type: 'text/plain' }),
        ...(clip.html !== null && { 'text/html': new Blob([clip.html], { type: 'text/html' }) }),
      })
    },
    copyAll: (blocks) =>
      write({ 'text/plain': new Blob([joinedMarkdown(blocks)], { type: 'text/plain' }) }),
  }
}

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

import type { Block } from '../../../../../shared/model/document.ts'
import { plainBlock } from '../../../markdown/plain-block.ts'
import {
  clipOf,
  copyChoices,
  joinedMarkdown,
  type CopyChoice,
  type CopyForm,
} from './copy-forms.ts'

/** Copies blocks in the forms they have. */
export interface BlockCopy {
  /** The ways a block can be copied, the likeliest first. */
  choices(block: Block): readonly CopyChoice[]
  /** Puts a block on the clipboard, in its likeliest form when none is named; false when the browser or the block refused. */
  copy(block: Block, form?: CopyForm): Promise<boolean>
  /** Puts several blocks on the clipboard as one Markdown text, in reading order. */
  copyAll(blocks: readonly Block[]): Promise<boolean>
}

/** Builds the copier; `picture` gives a block cut out of its page as a PNG, null when it cannot. */
export function createBlockCopy(imageOf: (block: Block) => Promise<Blob | null>): BlockCopy {
  const write = async (items: Record<string, string | Blob | Promise<Blob>>): Promise<boolean> => {
    try {
      await navigator.clipboard.write([new ClipboardItem(items)])
      return true
    } catch {
      // Refused, for example without focus: nothing was copied, and the caller says so.
      return false
    }
  }
  return {
    choices: (block) => copyChoices(block, plainBlock),
    async copy(block, form) {
      const chosen = form ?? copyChoices(block, plainBlock)[0]?.form ?? 'text'
      // The picture goes in as a promise: a browser forgets the key press by the time it is drawn.
      if (chosen === 'picture')
        return write({
          'image/png': imageOf(block).then(
            (blob) => blob ?? Promise.reject(new Error('No picture')),
          ),
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

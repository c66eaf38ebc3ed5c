import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { useSave } from '../../library/index.ts'
import { copyMarkdown, copyRich, wholeText, type Copied } from './copy-message.ts'
import type { Action } from './message-actions.ts'

/** Copies a message to the clipboard in a format; returns false when nothing was copied. */
export type CopyMessage = (
  action: Extract<Action, 'copy' | 'copyRich' | 'copyImage'>,
  message: ChatMessage,
) => Promise<boolean>

/**
 * Copies messages in three formats; when one cannot be copied, a notice explains why and offers an alternative.
 */
export function useCopyMessage(): CopyMessage {
  const client = useClient()
  const toasts = useToasts()
  const { t } = useTranslation()
  const { saveBytes } = useSave('toast')

  const notify = (done: Copied): boolean => {
    if (done === 'refused') toasts.show('chatMessage.notCopied')
    if (done === 'long') toasts.show('chatMessage.copyLong')
    if (done === 'incomplete') toasts.show('chatMessage.copyIncomplete')
    return done === 'copied'
  }
  /** Saves the image as a file when the clipboard accepts no images. */
  const save = async (png: Blob): Promise<void> => {
    toasts.show('chatMessage.imageSaved')
    await saveBytes(png, `${t('chatMessage.imageName')}.png`, 'image/png')
  }
  const copyImage = async ({ text }: ChatMessage): Promise<boolean> => {
    const { renderAnswerImage, AnswerTooLongError } =
      await import('../answer-image/answer-image.ts')
    // Passed as a promise: by the time the image is drawn, a browser no longer accepts the key press as a user gesture.
    const image = renderAnswerImage(text, client.mediaUrl(''))
    // Handled below, after the clipboard: avoids an unhandled rejection until then.
    image.catch(() => undefined)
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })])
      return true
    } catch {
      const png = await image.catch((error: unknown) => {
        const long = error instanceof AnswerTooLongError
        toasts.show(long ? 'chatMessage.imageTooLong' : 'chatMessage.imageFailed')
        return null
      })
      if (png) await save(png)
      return false
    }
  }
  return async (action, message) => {
    if (action === 'copyImage') return copyImage(message)
    if (action === 'copyRich') return notify(await copyRich(message))
    return notify(await copyMarkdown(message, wholeText(client, message)))
  }
}

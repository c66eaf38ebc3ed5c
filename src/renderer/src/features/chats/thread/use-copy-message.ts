import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import { useClient } from '../../../api/use-client.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { useToasts } from '../../../ui/toasts.ts'
import { useSave } from '../../export/use-save.ts'
import { copyMarkdown, copyRich, wholeText, type Copied } from './copy-message.ts'
import type { Action } from './message-actions.ts'

/** Puts a message on the clipboard in a form; false when nothing was copied. */
export type CopyMessage = (
  deed: Extract<Action, 'copy' | 'copyRich' | 'copyPicture'>,
  message: ChatMessage,
) => Promise<boolean>

/** Copies messages in three forms; where one cannot be copied, a notice says why and what else there is. */
export function useCopyMessage(): CopyMessage {
  const client = useClient()
  const toasts = useToasts()
  const { t } = useTranslation()
  const { saveBytes } = useSave('toast')

  const told = (done: Copied): boolean => {
    if (done === 'refused') toasts.show('chatMessage.notCopied')
    if (done === 'long') toasts.show('chatMessage.copyLong')
    return done === 'copied'
  }
  /** A clipboard that takes no pictures: it becomes a file. */
  const save = async (png: Blob): Promise<void> => {
    toasts.show('chatMessage.pictureSaved')
    await saveBytes(png, `${t('chatMessage.pictureName')}.png`, 'image/png')
  }
  const copyPicture = async ({ text }: ChatMessage): Promise<boolean> => {
    const { answerPicture, TooLongForPicture } = await import('../answer-image/answer-image.ts')
    // It goes in as a promise: a browser forgets the key press by the time it is drawn.
    const picture = answerPicture(text, client.mediaUrl(''))
    // Looked at below, after the clipboard has: until then nobody else does.
    picture.catch(() => undefined)
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
      return true
    } catch {
      const png = await picture.catch((error: unknown) => {
        const long = error instanceof TooLongForPicture
        toasts.show(long ? 'chatMessage.pictureLong' : 'chatMessage.pictureFailed')
        return null
      })
      if (png) await save(png)
      return false
    }
  }
  return async (deed, message) => {
    if (deed === 'copyPicture') return copyPicture(message)
    if (deed === 'copyRich') return told(await copyRich(message))
    return told(await copyMarkdown(message, wholeText(client, message)))
  }
}

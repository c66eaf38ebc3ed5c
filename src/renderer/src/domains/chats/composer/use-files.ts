import { computed, ref, shallowRef, type Ref } from 'vue'
import type { ChatAttachment, ChatSettings } from '../../../../../shared/model/chat.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { named, pastedFiles } from '../../library/index.ts'
import { maxAttachments } from './attachments.ts'
import { useUploads } from './use-uploads.ts'

/** State of the composer that its files depend on. */
interface FilesOf {
  readonly id: Readonly<Ref<string>>
  readonly who: Readonly<Ref<ChatSettings['kind'] | null>>
  attachments(): readonly ChatAttachment[]
  /** Adds an imported file. */
  attach(to: string, one: ChatAttachment): void
}

/** Rejected files: not accepted by the responder, or too many. */
export interface FilesNotice {
  readonly refused: readonly string[]
  readonly over: number
}

/** Handles pasted, dropped and chosen images and files, and text that is too long as a file. */
export function useFiles({ id, who, attachments, attach }: FilesOf) {
  const { t } = useTranslation()
  const notice = shallowRef<FilesNotice | null>(null)
  const isOver = ref(false)
  const { uploads: all, take, drop } = useUploads(attach)
  const uploads = computed(() => all.value.filter(({ to }) => to === id.value))
  const under = computed(() => uploads.value.filter(({ failure }) => failure === null))

  const bring = (files: readonly File[]): void => {
    const own = named(files, new Date(), (date) => t('intake.pasted', { date }))
    const room = maxAttachments - attachments().length - under.value.length
    const result = take(id.value, own, who.value, room)
    notice.value = result.refused.length > 0 || result.over > 0 ? result : null
  }
  const paste = (event: ClipboardEvent): void => {
    const files = event.clipboardData ? pastedFiles(event.clipboardData, true) : []
    if (files.length === 0) return
    event.preventDefault()
    bring(files)
  }
  const hasFiles = (event: DragEvent): boolean =>
    event.dataTransfer?.types.includes('Files') ?? false
  /** Prevented, so that the window leaves these files to the composer. */
  const over = (event: DragEvent): void => {
    if (!hasFiles(event)) return
    event.preventDefault()
    isOver.value = true
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
  }
  const left = (event: DragEvent): void => {
    const { currentTarget, relatedTarget } = event
    if (!(currentTarget instanceof Node) || !(relatedTarget instanceof Node)) isOver.value = false
    else if (!currentTarget.contains(relatedTarget)) isOver.value = false
  }
  const dropped = (event: DragEvent): void => {
    if (!hasFiles(event)) return
    event.preventDefault()
    isOver.value = false
    bring([...(event.dataTransfer?.files ?? [])])
  }
  const choose = (): void => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    if (who.value !== 'assistant')
      input.accept = 'image/png,image/jpeg,image/webp,image/gif,image/bmp'
    input.dataset['testid'] = 'attach-input'
    input.hidden = true
    input.onchange = () => {
      bring([...(input.files ?? [])])
      input.remove()
    }
    input.oncancel = () => input.remove()
    document.body.append(input)
    input.click()
  }
  const dismiss = (upload?: number): void => {
    if (upload === undefined) notice.value = null
    else drop(upload)
  }
  /** Clears the notice about rejected files. */
  const settle = (): void => {
    notice.value = null
    for (const { id: upload, failure } of uploads.value) if (failure) drop(upload)
  }
  return {
    settle,
    uploads,
    under,
    notice,
    isOver,
    choose,
    paste,
    over,
    left,
    dropped,
    dismiss,
    bring,
  }
}

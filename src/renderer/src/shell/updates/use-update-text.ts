import { computed, type ComputedRef } from 'vue'
import type { UpdateState } from '../../../../shared/model/updates.ts'
import { useTranslation } from '../../i18n/use-translation.ts'

/** Text for an update state: the status, and details ('' if there are none). */
export function useUpdateText(
  state: () => UpdateState | null,
): ComputedRef<{ readonly title: string; readonly detail: string }> {
  const { t, bytes, dateTime } = useTranslation()

  function titleOf({ stage, update, failure, checkedAt }: UpdateState): string {
    const version = update?.version ?? ''
    if (failure) return t(`updates.failed.${failure.step}`)
    switch (stage) {
      case 'available':
      case 'downloading':
      case 'ready':
        return t(`updates.${stage}`, { version })
      case 'checking':
      case 'installing':
      case 'off':
        return t(`updates.${stage}`)
      default:
        return checkedAt === null ? t('updates.never') : t('updates.idle')
    }
  }

  function detailOf({ stage, update, failure, progress, ...now }: UpdateState): string {
    if (failure) return t(`updates.fault.${failure.fault}`)
    if (progress)
      return t('updates.progress', {
        done: bytes(progress.bytes),
        total: bytes(progress.total),
      })
    if (now.recording && update) return t('updates.recording')
    if (update && now.support.mode === 'manual') return t(`updates.manual.${now.support.why}`)
    if (stage === 'ready') return t('updates.backup')
    return stage === 'idle' && now.checkedAt !== null
      ? t('updates.checkedAt', { time: dateTime(now.checkedAt) })
      : ''
  }

  return computed(() => {
    const now = state()
    if (!now) return { title: '', detail: '' }
    if (now.support.mode === 'none')
      return { title: t(`updates.none.${now.support.why}`), detail: '' }
    return { title: titleOf(now), detail: detailOf(now) }
  })
}

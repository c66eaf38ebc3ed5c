import { useI18n } from 'vue-i18n'
import type { RemoteItem } from '../../../../../shared/model/remote-item.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { secondsUntil, useSeconds } from '../tasks/task-labels.ts'

/** Labels of the statuses of Responses. */
export function useResponseLabels() {
  const { te } = useI18n({ useScope: 'global' })
  const { t, number } = useTranslation()
  const now = useSeconds()

  /** Returns the label of a provider status; an unknown one is returned unchanged. */
  const status = (word: string | null): string => {
    const key = `responses.statuses.${word ?? ''}`
    return word !== null && te(key) ? t(key) : (word ?? t('responses.statuses.none'))
  }
  const statusText = (remoteItem: Pick<RemoteItem, 'state' | 'status'>): string =>
    remoteItem.state === 'over' || (remoteItem.state === 'watching' && remoteItem.status !== null)
      ? status(remoteItem.status)
      : t(`remoteItems.states.${remoteItem.state}`)
  const tone = ({ state, status: word }: Pick<RemoteItem, 'state' | 'status'>): string => {
    if (state === 'refused' || word === 'failed') return 'text-danger'
    return word === 'completed' ? 'text-ok' : ''
  }
  /** Returns the time of the next poll; empty when none is planned. */
  const next = ({ nextPollAt }: Pick<RemoteItem, 'nextPollAt'>): string => {
    if (nextPollAt === null) return ''
    const n = secondsUntil(nextPollAt, now.value)
    return n === 0 ? t('playground.checkingNow') : t('playground.nextIn', { n: number(n) })
  }
  /** Returns the meaning of a failure inside a Response (service-notes 14); the code itself if it is unknown. */
  const error = (code: string): string => {
    const key = `responses.codes.${code}`
    return te(key) ? t(key) : t('responses.codes.other', { code: code || '?' })
  }
  const reason = (word: string): string => {
    const key = `responses.reasons.${word}`
    return te(key) ? t(key) : word
  }
  return { status, statusText, tone, next, error, reason }
}

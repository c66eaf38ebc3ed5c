import type { RetrievalRun } from '../../../../../../shared/model/retrieval.ts'
import { useTranslation } from '../../../../i18n/use-translation.ts'

/** Progress of a run as text: completed of total, failures, and what it waits for. */
export function useRunState() {
  const { t, number } = useTranslation()
  return ({ state, done, failed, total, waiting }: RetrievalRun): string =>
    [
      t('retrieval.doneOf', { n: number(done), of: number(total) }),
      ...(failed > 0 ? [t('retrieval.failed', { n: number(failed) }, failed)] : []),
      ...(state === 'running' && waiting > 0
        ? [t('retrieval.waiting', { n: number(waiting) }, waiting)]
        : []),
      ...(state === 'stopped' ? [t('retrieval.state.stopped')] : []),
    ].join(' · ')
}

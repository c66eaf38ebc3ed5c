import type { SampleCheck } from '../../../../../../shared/model/sample.ts'
import { useTranslation } from '../../../../i18n/use-translation.ts'

/** The key for the message of a check. */
function reasonOf({ name, reason, values }: SampleCheck, left: boolean): string {
  if (name === 'noise' && left && reason === 'noisy') return 'left'
  return reason === 'change' && (values['changeMs'] ?? -1) < 0 ? 'several' : reason
}

/** Messages of checks, in the user's language and units. */
export function useCheckMessages() {
  const { t, seconds, number } = useTranslation()
  /** `left`: the fix was applied, and this problem remains. */
  return (check: SampleCheck, left = false): string => {
    const { values } = check
    const of = (name: string): number => values[name] ?? 0
    const span = (name: string): string => seconds(Math.round(of(name) / 100) / 10)
    const reason = reasonOf(check, left)
    const figures = {
      time: span('ms'),
      at: span(check.name === 'speakers' ? 'changeMs' : 'atMs'),
      percent: `${Math.round(of('share') * 100)}%`,
      db: number(Math.round(of('db'))).replace('-', '−'),
      snr: number(Math.round(of('snr'))),
      n: number(of('count')),
      before: span('before'),
      after: span('after'),
    }
    return t(`cloning.findings.${check.name}.${reason}`, figures, of('count'))
  }
}

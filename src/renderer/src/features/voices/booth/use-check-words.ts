import type { SampleCheck } from '../../../../../shared/model/sample.ts'
import { useWords } from '../../../i18n/use-words.ts'

/** What a check says, in the reader's words and units. */
export function useCheckWords() {
  const { t, seconds, number } = useWords()
  return (check: SampleCheck): string => {
    const { values } = check
    const of = (name: string): number => values[name] ?? 0
    const span = (name: string): string => seconds(Math.round(of(name) / 100) / 10)
    const reason = check.reason === 'change' && of('changeMs') < 0 ? 'several' : check.reason
    return t(`booth.says.${check.name}.${reason}`, {
      time: span('ms'),
      at: span(check.name === 'speakers' ? 'changeMs' : 'atMs'),
      percent: `${Math.round(of('share') * 100)} %`,
      db: number(Math.round(of('db'))).replace('-', '−'),
      snr: number(Math.round(of('snr'))),
      n: number(of('count')),
      before: span('before'),
      after: span('after'),
    })
  }
}

import type { DocumentBrief } from '../../../../shared/model/document.ts'
import { useWords } from '../../i18n/use-words.ts'
import { isRunning, shareDone } from './parse-state.ts'

/** Where a document stands, for a row of a list. */
export interface BriefWords {
  readonly text: string
  readonly tone: 'plain' | 'warn' | 'danger'
  /** 0 to 1 while it is parsed. */
  readonly progress: number | undefined
}

/** Words for the state of a document in a list. */
export function useBrief(): (brief: DocumentBrief) => BriefWords {
  const { t, number } = useWords()
  return ({ pages, locked, state, counts }) => {
    const says = (key: string, n: number, tone: BriefWords['tone'] = 'plain'): BriefWords => ({
      text: t(key, { n: number(n) }, n),
      tone,
      progress: undefined,
    })
    if (locked) return { text: t('document.rowLocked'), tone: 'warn', progress: undefined }
    if (state === null || counts === null) return says('document.rowNew', pages)
    if (isRunning(state)) {
      const progress = shareDone(counts)
      return { ...says('document.rowRunning', Math.floor(progress * 100)), progress }
    }
    const missing = counts.asked - counts.returned
    return missing > 0
      ? says('document.rowMissing', missing, 'danger')
      : says('document.rowDone', pages)
  }
}

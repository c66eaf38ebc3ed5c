import type { Work } from '../../../../../shared/model/work.ts'

/** Incomplete row of the list; a row without targets can move to every account. */
export type WorkRow = Omit<Work, 'targets' | 'bound' | 'mayBeDone' | 'file'> &
  Partial<Pick<Work, 'targets' | 'bound' | 'file'>>

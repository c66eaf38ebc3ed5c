import type { ItemKind } from '../../../../shared/model/library.ts'
import { useWords } from '../../i18n/use-words.ts'
import { kindWords } from './kind-words.ts'

/** Gives the word for a kind of thing by its name, as archives and backups tell it; kinds of another version have one in common. */
export function useKindWord(): (kind: string) => string {
  const { t } = useWords()
  return (kind) =>
    t(Object.hasOwn(kindWords, kind) ? kindWords[kind as ItemKind] : 'archive.otherKind')
}

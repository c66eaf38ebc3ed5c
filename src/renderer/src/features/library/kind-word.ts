import type { EntryKind } from '../../../../shared/model/library-entry.ts'
import { useWords } from '../../i18n/use-words.ts'
import { entryWords } from './entry-words.ts'

/** Gives the word for a kind of thing by its name, as archives and backups tell it; kinds of another version have one in common. */
export function useKindWord(): (kind: string) => string {
  const { t } = useWords()
  return (kind) =>
    t(Object.hasOwn(entryWords, kind) ? entryWords[kind as EntryKind] : 'archive.otherKind')
}

import type { EntryKind } from '../../../../shared/model/library-entry.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { entryLabels } from './entry-labels.ts'

/** Gives the word for a kind of thing by its name, as archives and backups tell it; kinds of another version have one in common. */
export function useKindLabel(): (kind: string) => string {
  const { t } = useTranslation()
  return (kind) =>
    t(Object.hasOwn(entryLabels, kind) ? entryLabels[kind as EntryKind] : 'archive.otherKind')
}

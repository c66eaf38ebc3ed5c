import type { EntryKind } from '../../../../../shared/model/library-entry.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { entryTraits } from './entry-labels.ts'

/** Kinds of earlier versions, by the kind that they became. */
const former: Readonly<Record<string, EntryKind>> = { recording: 'meeting' }

/**
 * Returns a function that labels a kind by its name in archives and backups; unknown kinds of other versions share a label.
 */
export function useKindLabel(): (kind: string) => string {
  const { t } = useTranslation()
  return (name) => {
    const kind = Object.hasOwn(former, name) ? former[name] : name
    return t(
      kind !== undefined && Object.hasOwn(entryTraits, kind)
        ? entryTraits[kind as EntryKind].label
        : 'archive.otherKind',
    )
  }
}

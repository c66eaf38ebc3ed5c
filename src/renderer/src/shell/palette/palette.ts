import { computed, ref, watch, type Ref } from 'vue'
import { otherTraits, type EntryHit } from '../../../../shared/model/library-entry.ts'
import type { ItemSummary, SearchHit } from '../../../../shared/model/library.ts'
import type { Command } from '../../lib/command.ts'
import { developerPlaces, placeKey, places } from '../../lib/places.ts'
import { queryTerms } from '../../kit/text-parts.ts'

/** An entry of the palette. */
export type PaletteEntry =
  | {
      readonly key: string
      readonly kind: 'action'
      readonly label: string
      readonly shortcut: string
      run(): void
    }
  | { readonly key: string; readonly kind: 'hit'; readonly hit: SearchHit }
  /** An entry that is not an item. */
  | { readonly key: string; readonly kind: 'entry'; readonly hit: EntryHit }
  | { readonly key: string; readonly kind: 'recent'; readonly item: ItemSummary }

/** An action of the palette: its label is searched in the interface language. */
export type PaletteAction = Extract<PaletteEntry, { kind: 'action' }>

/** The app's commands with the keys of their labels and their shortcuts. */
export const paletteCommands: readonly (readonly [Command, string, string])[] = [
  ['record', 'actions.record', ''],
  ['import', 'actions.import', 'mod+o'],
  ['new-chat', 'actions.newChat', ''],
  ['temporary-chat', 'actions.temporaryChat', ''],
  ['search-chats', 'actions.searchChats', ''],
  ['quick', 'actions.quick', ''],
  ['prompts', 'actions.prompts', ''],
  ...places.map((place) => [place, `actions.${place}`, placeKey(place)] as const),
  ['knowledge', 'actions.knowledge', ''],
  ['bin', 'actions.bin', ''],
  ['settings', 'actions.settings', 'mod+,'],
  ['accounts', 'actions.accounts', ''],
  ['add-account', 'accounts.add', ''],
  ['storage', 'actions.storage', ''],
  ['shortcuts', 'actions.shortcuts', ''],
  ['search', 'actions.search', 'mod+f'],
  ['toggle-inspector', 'actions.inspector', 'mod+.'],
  ['toggle-list', 'actions.list', 'mod+\\'],
]

/** The commands of developer tools, once they are switched on. */
export const developerCommands: typeof paletteCommands = developerPlaces.map((place) => [
  place,
  `actions.${place}`,
  placeKey(place),
])

/** Notes, summaries and highlights are parts of items; other entries are in the Playground, in Knowledge, or in chats. */
const isPart = ({ kind }: EntryHit): boolean => otherTraits[kind].listed === 'chosen'

const headings = {
  action: 'palette.actions',
  hit: 'palette.hits',
  recent: 'palette.recent',
} as const

/** Returns the key of the heading of an entry's group. */
export function headingOf(entry: PaletteEntry): string {
  if (entry.kind !== 'entry') return headings[entry.kind]
  return isPart(entry.hit) ? 'palette.parts' : 'palette.others'
}

/** Returns entries with those of a group next to each other. */
export const inGroups = (hits: readonly EntryHit[]): readonly EntryHit[] => [
  ...hits.filter(isPart),
  ...hits.filter((hit) => !isPart(hit)),
]

/** Returns the number of search results among the entries. */
export const resultCount = (entries: readonly PaletteEntry[]): number =>
  entries.filter(({ kind }) => kind === 'hit' || kind === 'entry').length

/** Returns the actions whose label contains every word of the query; all of them for an empty query. */
export function matchActions(
  actions: readonly PaletteAction[],
  query: string,
): readonly PaletteAction[] {
  const words = queryTerms(query.toLowerCase())
  return actions.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}

/** Selected row among entries: wraps around at the ends, stays when entries are added, and is the first one of a new query. */
export function useChoice(
  entries: Ref<readonly PaletteEntry[]>,
  {
    query,
    pending,
    open,
  }: {
    readonly query: Ref<string>
    /** Whether the entries do not contain the results of the query yet. */
    readonly pending: Ref<boolean>
    readonly open: (entry: PaletteEntry) => void
  },
) {
  const index = ref(0)
  const chosen = computed(() => entries.value[index.value] ?? null)
  /** Whether Enter was pressed before the results arrived: the first one opens when they do. */
  let opensFirst = false
  const move = (by: number): void => {
    opensFirst = false
    const count = entries.value.length
    if (count > 0) index.value = (index.value + by + count) % count
  }
  const enter = (): void => {
    opensFirst = pending.value && chosen.value?.kind !== 'action'
    if (!opensFirst && chosen.value) open(chosen.value)
  }
  watch([query, entries] as const, ([text, now], [typed, before]) => {
    const key = before[index.value]?.key
    const stays = text === typed && index.value > 0
    index.value = stays
      ? Math.max(
          0,
          now.findIndex((entry) => entry.key === key),
        )
      : 0
    if (text !== typed) opensFirst = false
  })
  watch(pending, (waits) => {
    if (!waits && opensFirst) enter()
  })
  return { index, chosen, move, enter }
}

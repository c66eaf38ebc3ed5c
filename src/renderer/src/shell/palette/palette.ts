import { computed, ref, watch, type Ref } from 'vue'
import type { EntryHit } from '../../../../shared/model/library-entry.ts'
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

/** Returns the actions whose label contains every word of the query; all of them for an empty query. */
export function matchActions(
  actions: readonly PaletteAction[],
  query: string,
): readonly PaletteAction[] {
  const words = queryTerms(query.toLowerCase())
  return actions.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}

/** Selected row among entries: wraps around at the ends, and resets to the top whenever the entries change. */
export function useChoice(entries: Ref<readonly PaletteEntry[]>) {
  const index = ref(0)
  watch(
    () => entries.value.map(({ key }) => key).join('\n'),
    () => (index.value = 0),
  )
  const move = (by: number): void => {
    const count = entries.value.length
    if (count > 0) index.value = (index.value + by + count) % count
  }
  const chosen = computed(() => entries.value[index.value] ?? null)
  return { index, chosen, move }
}

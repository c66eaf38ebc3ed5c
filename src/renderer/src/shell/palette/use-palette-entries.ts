import { computed, type Ref } from 'vue'
import { useRouter } from 'vue-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useAccountName } from '../../domains/settings/accounts/use-account-name.ts'
import { useAccounts } from '../../domains/settings/accounts/accounts-store.ts'
import { placeNames, placePath, type PlaceName } from '../playground/playground-places.ts'
import { useLibrary } from '../../domains/library/entries/library-store.ts'
import { useSettings } from '../../lib/settings-store.ts'
import type { Command } from '../../lib/command.ts'
import { useShell } from '../../lib/app-store.ts'
import {
  developerCommands,
  inGroups,
  matchActions,
  paletteCommands,
  type PaletteAction,
  type PaletteEntry,
} from './palette.ts'
import { useEntrySearch, useSearch } from '../../domains/library/search/use-search.ts'

/** Label keys of the actions that choose a theme or a language. */
const themes = {
  light: 'actions.themeLight',
  dark: 'actions.themeDark',
  system: 'actions.themeSystem',
} as const
const languages = { en: 'actions.english', 'zh-CN': 'actions.chinese' } as const

/** New items of sections: label key and path. */
const beginnings = [
  ['cloning.new', '/voices/clone'],
  ['speech.new', '/voices/speak'],
] as const
const developerBeginnings = [
  ['knowledge.test', '/knowledge/retrieval'],
  ['slices.title', '/knowledge/slices'],
] as const

/** Maximum number of actions while there is a query: content matters more than actions. */
const fewActions = 6
const recentItems = 5
/** Maximum number of results that are not items. */
const maxOthers = 10

/** Palette entries for a query: actions and full-text results, or without a query recent items and all actions. */
export function usePaletteEntries(query: Ref<string>, run: (command: Command) => void) {
  const settings = useSettings()
  const accounts = useAccounts()
  const library = useLibrary()
  const router = useRouter()
  const shell = useShell()
  const { t } = useTranslation()
  const accountName = useAccountName()
  const { reply, pending } = useSearch(query, { limit: 20 })
  const { reply: others } = useEntrySearch(query, { limit: maxOthers })

  const action = (key: string, label: string, act: () => void, shortcut = ''): PaletteAction => ({
    key,
    kind: 'action',
    label,
    shortcut,
    run: act,
  })

  const openPlace = (name: PlaceName): Promise<unknown> => {
    shell.showList()
    return router.push(placePath(name))
  }

  const begin = (path: string): Promise<unknown> => {
    shell.listOpen = false
    return router.push(path)
  }

  const beginningActions = (
    all: readonly (typeof beginnings | typeof developerBeginnings)[number][],
  ): PaletteAction[] => all.map(([words, path]) => action(path, t(words), () => void begin(path)))
  const developerActions = computed<PaletteAction[]>(() => [
    ...beginningActions(developerBeginnings),
    ...developerCommands.map(([command, words, shortcut]) =>
      action(command, t(words), () => run(command), shortcut),
    ),
    ...placeNames.map((name) =>
      action(
        `place ${name}`,
        t('actions.playgroundPlace', { place: t(`playground.places.${name}`) }),
        () => void openPlace(name),
      ),
    ),
  ])
  const actions = computed<PaletteAction[]>(() => [
    ...paletteCommands.map(([command, words, shortcut]) =>
      action(command, t(words), () => run(command), shortcut),
    ),
    ...beginningActions(beginnings),
    ...(settings.settings?.developer ? developerActions.value : []),
    action(
      'developer',
      t(settings.settings?.developer ? 'actions.developerOff' : 'actions.developerOn'),
      () => run('developer'),
    ),
    ...accounts.accounts
      .filter(({ active }) => !active)
      .map(({ id, name }) => {
        const shown = accountName({ id, name })
        return action(
          `account ${id}`,
          t('actions.switchTo', { name: shown }),
          () => void accounts.activate(id),
        )
      }),
    ...(['light', 'dark', 'system'] as const).map((theme) =>
      action(theme, t(themes[theme]), () => void settings.update({ theme })),
    ),
    ...(['en', 'zh-CN'] as const).map((language) =>
      action(language, t(languages[language]), () => void settings.update({ language })),
    ),
  ])

  const entries = computed<readonly PaletteEntry[]>(() => {
    const found = matchActions(actions.value, query.value)
    if (query.value.trim() === '') {
      const recent = library.live.items
        .slice(0, recentItems)
        .map((item): PaletteEntry => ({ key: item.id, kind: 'recent', item }))
      return [...recent, ...found]
    }
    const hits = (reply.value?.hits ?? []).map((hit): PaletteEntry => ({
      key: `${hit.itemId} ${hit.field} ${hit.partId}`,
      kind: 'hit',
      hit,
    }))
    const otherHits = inGroups(others.value?.hits ?? []).map((hit): PaletteEntry => ({
      key: `${hit.kind} ${hit.id}`,
      kind: 'entry',
      hit,
    }))
    return [...found.slice(0, fewActions), ...hits, ...otherHits]
  })
  const more = computed(() => (reply.value?.more ?? false) || (others.value?.more ?? false))
  return { entries, reply, more, pending }
}

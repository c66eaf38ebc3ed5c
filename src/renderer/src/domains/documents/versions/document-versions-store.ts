import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { pagesIn, rangesText, type PageRange } from '../../../../../shared/documents/ranges.ts'
import type { DocumentVersion } from '../../../../../shared/model/document.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { useDocument } from '../documents-store.ts'
import { choicesNow, currentFor, versionsOf, type Choice, type Coverage } from './coverage.ts'

/** Two versions of a page that are compared. */
export interface Comparison {
  readonly page: number
  readonly leftId: string
  readonly rightId: string
}

/** Form of a parse: page ranges as text (empty for all), and whether existing pages are sent again. */
export interface ParseForm {
  readonly pages: string
  readonly fresh: boolean
}

/** Versions of the opened document: the pages of each, the current ones, and their actions. */
export const useVersions = defineStore('document-versions', () => {
  const client = useClient()
  const document = useDocument()
  const toasts = useToasts()
  const coverage = shallowRef<Coverage>([])
  const comparing = shallowRef<Comparison | null>(null)
  /** The page and version whose raw response is shown. */
  const returned = shallowRef<{ readonly page: number; readonly versionId: string } | null>(null)
  /** The page whose layout image of the provider is shown. */
  const layout = shallowRef<{ readonly page: number; readonly address: string } | null>(null)
  const parseForm = shallowRef<ParseForm | null>(null)
  const busy = ref(false)
  let loading = false
  let again = false

  const list = computed<readonly DocumentVersion[]>(() => document.document?.versions ?? [])
  const byId = computed(() => new Map(list.value.map((one) => [one.id, one])))
  const several = computed(() => list.value.length > 1)
  const numberOf = (id: string | null): number | null =>
    id === null ? null : (byId.value.get(id)?.number ?? null)

  const load = async (): Promise<void> => {
    if (loading) {
      again = true
      return
    }
    const { id } = document
    if (id === null) return
    loading = true
    const reply = await client.request('documents.coverage', { id })
    loading = false
    if (reply.ok && id === document.id) take(reply.data.versions)
    if (again || id !== document.id) {
      again = false
      await load()
    }
  }
  const take = (next: Coverage): void => {
    const before = coverageKey(coverage.value)
    const first = coverage.value.length === 0
    coverage.value = next
    // Another window may have changed the choice.
    if (!first && before !== coverageKey(next)) document.refresh()
  }
  watch(
    () => document.id,
    () => {
      coverage.value = []
      comparing.value = null
      returned.value = null
      layout.value = null
      parseForm.value = null
    },
  )
  watch(
    () => document.document?.versions,
    () => void load(),
    { immediate: true },
  )

  /** Makes a version current for pages (null: the newest), and offers Undo. */
  const choose = async (pages: readonly PageRange[], versionId: string | null): Promise<void> => {
    const { id } = document
    if (id === null || busy.value) return
    const chosen = Array.from(pagesIn(pages))
    const before = choicesNow(coverage.value, pages)
    busy.value = true
    const done = await document.choose(chosen, versionId)
    busy.value = false
    if (!done) return
    await load()
    toasts.show(versionId === null ? 'documentVersions.newestChosen' : 'documentVersions.chosen', {
      values: {
        version: numberOf(versionId) ?? 0,
        pages: rangesText(pages),
        n: chosen.length,
      },
      count: chosen.length,
      action: { key: 'app.undo', run: () => void restore(id, before) },
    })
  }
  const restore = async (id: string, choices: readonly Choice[]): Promise<void> => {
    for (const { pages, versionId } of choices) await document.choose(pages, versionId, id)
    if (id === document.id) await load()
  }

  /** Compares two versions of a page: the current one on the right, or the newest other one. */
  const compare = (page: number, left?: string): void => {
    const known = versionsOf(coverage.value, page)
    const currentId = currentFor(coverage.value, page) ?? known[0]
    const other =
      left !== undefined && left !== currentId ? left : known.find((id) => id !== currentId)
    if (currentId === undefined || other === undefined) return
    const [leftId, rightId] = inOrder(other, currentId)
    comparing.value = { page, leftId, rightId }
  }
  /** Orders two versions, the older one first. */
  const inOrder = (a: string, b: string): readonly [string, string] =>
    (numberOf(a) ?? 0) <= (numberOf(b) ?? 0) ? [a, b] : [b, a]

  return {
    coverage,
    comparing,
    returned,
    layout,
    parseForm,
    busy,
    list,
    byId,
    several,
    numberOf,
    load,
    choose,
    compare,
  }
})

/** Returns a key of the current versions for comparison. */
const coverageKey = (coverage: Coverage): string =>
  JSON.stringify(coverage.map(({ versionId, stands: current }) => [versionId, current]))

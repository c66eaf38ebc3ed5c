import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef, toRef, watch } from 'vue'
import type { Bookmark, Line, Span } from '../../../../../shared/model/meeting.ts'
import {
  literalMatches,
  replacedWord,
  type LiteralOptions,
} from '../../../../../shared/text/literal.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { useShell } from '../../../lib/app-store.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useFind } from './find.ts'
import { transcriptRows } from './rows.ts'
import { choose, preserveKnown, noSelection, type SelectionMode } from './selection.ts'
import { momentOfOffset, voicedOfLine } from './current-word.ts'
import { editToast, useMeeting } from './meetings-store.ts'
import type { MeetingPlayer } from './use-meeting-player.ts'

/** Dialog over the opened meeting. */
type MeetingDialog = 'again' | 'review' | 'export' | null

/** Workspace of the opened meeting: its player, selection, editing, search, and scroll target. */
export const useMeetingWorkspace = defineStore('meeting-desk', () => {
  const client = useClient()
  const store = useMeeting()
  const shell = useShell()
  const toasts = useToasts()
  const player = shallowRef<MeetingPlayer | null>(null)
  const selection = shallowRef(noSelection)
  /** The line being edited. */
  const editing = ref<string | null>(null)
  /** Range selected on the waveform. */
  const range = shallowRef<Span | null>(null)
  const dialog = ref<MeetingDialog>(null)
  const part = ref<'transcript' | 'summary'>('transcript')
  /** Content of the Details panel below the notes. */
  const panel = ref<'meeting' | 'versions'>('meeting')
  /** Scroll target of the transcript; a new object each time. */
  const goal = shallowRef<{ readonly ms: number } | null>(null)
  /** Questions that were typed but not asked, by meeting. */
  const questions = reactive(new Map<string, string>())
  const find = reactive(useFind(client, toRef(store, 'id'), () => store.lines))

  // Its meeting changes with all progress, its bookmarks rarely.
  const bookmarks = computed<readonly Bookmark[]>((before) => {
    const now = store.meeting?.bookmarks ?? []
    return before && JSON.stringify(before) === JSON.stringify(now) ? before : now
  })
  const rows = computed(() =>
    transcriptRows(
      store.lines,
      store.segments,
      store.partial,
      bookmarks.value,
      store.previews.filter(({ id }) => id === store.id),
    ),
  )
  const order = computed(() => store.lines.map(({ id }) => id))
  /** Selected lines in order of time. */
  const chosen = computed<readonly Line[]>(() =>
    selection.value.ids.size === 0
      ? []
      : store.lines.filter(({ id }) => selection.value.ids.has(id)),
  )
  const chosenIds = (): string[] => chosen.value.map(({ id }) => id)

  const select = (id: string, mode: SelectionMode = 'one'): void => {
    selection.value = choose(selection.value, order.value, id, mode)
  }
  const clear = (): void => {
    selection.value = noSelection
  }
  const reset = (): void => {
    clear()
    editing.value = null
    range.value = null
    dialog.value = null
    goal.value = null
    part.value = 'transcript'
    panel.value = 'meeting'
    find.close()
  }
  watch(() => store.id, reset)
  watch(
    () => store.lineById,
    (known) => {
      selection.value = preserveKnown(selection.value, known)
      if (editing.value !== null && !known.has(editing.value)) editing.value = null
    },
  )

  /** Seeks to a moment, and scrolls the transcript there. */
  const goTo = (ms: number): void => {
    part.value = 'transcript'
    player.value?.seek(ms)
    goal.value = { ms }
  }
  const showDetails = (): void => {
    shell.inspectorOpen = true
    shell.inspectorOver = true
  }
  /** Shows the versions of the selected line in the Details panel. */
  const showVersions = (): void => {
    panel.value = 'versions'
    showDetails()
  }
  const voicedOf = (line: Line): readonly Span[] => voicedOfLine(store.segments, line)

  const saveText = async (line: Line, text: string): Promise<boolean> => {
    editing.value = null
    const wanted = text.trim()
    if (wanted === line.text) return true
    if (wanted === '') return (await store.edit({ type: 'remove', lineIds: [line.id] })) !== null
    return (await store.edit({ type: 'text', lineId: line.id, text: wanted })) !== null
  }
  /** Replaces all matches, whose number the caller knows. */
  const replaceAll = async (
    change: { readonly query: string; readonly replacement: string } & LiteralOptions,
    n: number,
  ): Promise<void> => {
    if (!(await store.edit({ type: 'replace', ...change }))) return
    toasts.show('transcript.replaced', {
      count: n,
      values: { n },
      action: { key: 'app.undo', run: () => void store.undo() },
      about: [editToast],
    })
  }
  /** Saves a corrected line, and offers to correct the same word elsewhere. */
  const correct = async (line: Line, text: string): Promise<void> => {
    const word = replacedWord(line.text, text.trim())
    if (!(await saveText(line, text)) || !word || !store.whole) return
    const options = { matchCase: true, wholeWords: true }
    const n = store.lines.reduce(
      (sum, one) => sum + literalMatches(one.text, word.query, options).length,
      0,
    )
    if (n === 0) return
    toasts.show('transcript.corrected', {
      count: n,
      values: { from: word.query, to: word.replacement, n },
      action: {
        key: 'transcript.replaceMore',
        run: () => void replaceAll({ ...word, ...options }, n),
      },
      about: [editToast],
    })
  }
  /** Splits a line at an offset of its (possibly changed) text. */
  const split = async (line: Line, text: string, offset: number): Promise<void> => {
    const before = text.slice(0, offset).trimStart()
    const whole = text.trim()
    if (before.trim() === '' || text.slice(offset).trim() === '') return
    if (!(await saveText(line, text))) return
    const now = store.lineById.get(line.id)
    if (!now || now.text !== whole) return
    const at = before.length
    const atMs = Math.min(
      line.endMs - 1,
      Math.max(line.startMs + 1, momentOfOffset(now, at, voicedOf(now))),
    )
    await store.edit({ type: 'split', lineId: line.id, offset: at, atMs })
  }
  /** Returns the nearest line of the same channel above or below; merging requires one channel. */
  const neighbour = (line: Line, by: -1 | 1): Line | null => {
    const at = order.value.indexOf(line.id)
    for (let next = at + by; store.lines[next]; next += by)
      if (store.lines[next]?.channel === line.channel) return store.lines[next] ?? null
    return null
  }
  const merge = async (lineIds: readonly string[]): Promise<void> => {
    const reply = await store.edit({ type: 'merge', lineIds })
    const first = reply?.lines[0]
    if (first) select(first.id)
  }
  const mergeWith = async (by: -1 | 1): Promise<void> => {
    const line = chosen.value[0]
    const other = line ? neighbour(line, by) : null
    if (!line || !other) return
    await merge(by < 0 ? [other.id, line.id] : [line.id, other.id])
  }
  const mergeChosen = (): Promise<void> => merge(chosenIds())
  const removeChosen = async (): Promise<void> => {
    const lineIds = chosenIds()
    if (lineIds.length > 0) await store.edit({ type: 'remove', lineIds })
  }
  const assign = async (speakerId: string, lineIds: readonly string[]): Promise<void> =>
    void (await store.edit({ type: 'assign', lineIds, speakerId }))
  const addSpeaker = async (name: string, lineIds: readonly string[]): Promise<void> =>
    void (await store.edit({ type: 'addSpeaker', name, lineIds }))
  const renameSpeaker = async (speakerId: string, name: string): Promise<void> =>
    void (await store.edit({ type: 'renameSpeaker', speakerId, name }))
  const mergeSpeakers = async (speakerId: string, intoId: string): Promise<void> =>
    void (await store.edit({ type: 'mergeSpeakers', speakerId, intoId }))
  const bookmarkHere = (label: string): Promise<boolean> =>
    store.bookmark({ atMs: Math.round(player.value?.atMs.value ?? 0), label })

  return {
    player,
    selection,
    editing,
    range,
    dialog,
    part,
    panel,
    goal,
    questions,
    find,
    rows,
    order,
    chosen,
    select,
    clear,
    reset,
    goTo,
    showDetails,
    showVersions,
    voicedOf,
    saveText,
    replaceAll,
    correct,
    split,
    neighbour,
    mergeWith,
    mergeChosen,
    removeChosen,
    assign,
    addSpeaker,
    renameSpeaker,
    mergeSpeakers,
    bookmarkHere,
  }
})

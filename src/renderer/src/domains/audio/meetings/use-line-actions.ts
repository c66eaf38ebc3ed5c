import { nextTick, shallowRef } from 'vue'
import type { Line } from '../../../../../shared/model/meeting.ts'
import { rowAfter } from '../../../kit/row-focus.ts'
import { useCopy } from '../../../kit/use-copy.ts'
import { useRetranscribe } from './retranscribe-store.ts'
import { useMeetingWorkspace } from './meeting-workspace-store.ts'
import type { LineAction } from './line-actions.ts'
import { canMerge } from './selection.ts'
import { momentOfOffset } from './current-word.ts'
import { useMeeting } from './meetings-store.ts'
import type { Transcript } from './use-transcript.ts'

/** The open menu: of one line, or of speakers. */
interface OpenMenu {
  readonly kind: 'line' | 'speaker'
  readonly lines: readonly Line[]
  readonly anchor: HTMLElement
}

/**
 * Actions of the transcript's shortcuts, menus and buttons; if several lines are selected they apply to all of them.
 */
export function useLineActions(
  {
    indexOf,
    elementOf,
    focusRow,
    follow,
  }: Pick<Transcript, 'indexOf' | 'elementOf' | 'focusRow' | 'follow'>,
  fixed: () => boolean,
) {
  const workspace = useMeetingWorkspace()
  const store = useMeeting()
  const again = useRetranscribe()
  const { copy } = useCopy()
  const menu = shallowRef<OpenMenu | null>(null)
  /** Initial cursor position of the edited line. */
  const caret = shallowRef<number | null>(null)

  const meant = (line: Line): readonly Line[] =>
    workspace.selection.ids.has(line.id) && workspace.chosen.length > 1 ? workspace.chosen : [line]
  const choose = (line: Line): void => {
    if (!workspace.selection.ids.has(line.id)) workspace.select(line.id)
  }
  const focusLine = async (id: string | undefined): Promise<void> => {
    await nextTick()
    if (id !== undefined) await focusRow(indexOf(id))
  }

  const seek = (line: Line, offset: number | null): void => {
    const ms =
      offset === null ? line.startMs : momentOfOffset(line, offset, workspace.voicedOf(line))
    workspace.player?.seek(ms)
    follow.resume()
  }
  const merge = async (line: Line, by: -1 | 1): Promise<void> => {
    if (workspace.chosen.length > 1) {
      if (canMerge(store.lines, workspace.chosen)) await workspace.mergeChosen()
    } else {
      workspace.select(line.id)
      await workspace.mergeWith(by)
    }
    await focusLine(workspace.chosen[0]?.id)
  }
  const remove = async (line: Line): Promise<void> => {
    choose(line)
    const next = rowAfter(workspace.order, workspace.selection.ids)
    await workspace.removeChosen()
    await focusLine(next ?? undefined)
  }
  const openMenu = (kind: OpenMenu['kind'], lines: readonly Line[], anchor: HTMLElement): void => {
    menu.value = { kind, lines, anchor }
  }
  const assignNth = (line: Line, n: number): void => {
    const speaker = store.meeting?.speakers[n]
    if (!speaker || fixed()) return
    const lines = meant(line).filter(({ speakerId }) => speakerId !== speaker.id)
    if (lines.length > 0)
      void workspace.assign(
        speaker.id,
        lines.map(({ id }) => id),
      )
  }

  const act = (
    what: LineAction,
    line: Line,
    anchor: HTMLElement,
    offset: number | null = null,
  ): void => {
    if (what === 'play') {
      seek(line, offset)
      workspace.player?.play()
    } else if (what === 'copy')
      void copy(
        meant(line)
          .map(({ text }) => text)
          .join('\n'),
      )
    else if (what === 'versions') {
      workspace.select(line.id)
      workspace.showVersions()
    }
    if (fixed()) return
    if (what === 'edit') {
      caret.value = offset
      workspace.editing = line.id
    } else if (what === 'speaker') openMenu('speaker', meant(line), anchor)
    else if (what === 'mergeAbove') void merge(line, -1)
    else if (what === 'mergeBelow') void merge(line, 1)
    else if (what === 'bookmark') void store.bookmark({ atMs: line.startMs, label: '' })
    else if (what === 'remove') void remove(line)
    else if (what === 'again' && store.meeting?.hasAudio) {
      choose(line)
      again.open('lines')
    }
  }
  /** Ends the editing of a line; the focus returns to the line if it was inside. */
  const endEdit = async (line: Line, work: () => Promise<unknown>): Promise<void> => {
    const back = elementOf(line.id)?.contains(document.activeElement) === true
    await work()
    if (back && workspace.editing === null) await focusLine(line.id)
  }
  const save = (line: Line, text: string): Promise<void> =>
    endEdit(line, () => workspace.correct(line, text))
  const split = (line: Line, text: string, offset: number): Promise<void> =>
    endEdit(line, () => workspace.split(line, text, offset))
  const cancel = (line: Line): Promise<void> =>
    endEdit(line, async () => {
      workspace.editing = null
    })
  return { menu, caret, meant, seek, act, remove, assignNth, openMenu, save, split, cancel }
}

/** Actions for the lines of the shown transcript. */
export type LineActions = ReturnType<typeof useLineActions>

import { onScopeDispose, shallowRef } from 'vue'
import type { Failure } from '../../../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../../../shared/contract/routes.ts'
import type {
  RetrievalRun,
  RetrievalSettings,
  TestSet,
} from '../../../../../../shared/model/retrieval.ts'
import { useClient } from '../../../../lib/bridge/use-client.ts'
import { useUndo } from '../../../../kit/use-undo.ts'
import { useRetrieval, withRun } from '../retrieval-store.ts'
import { createLatest } from '../../../../kit/use-latest.ts'

/** Maximum number of shown runs of a set. */
const maxRuns = 200

/** An opened test set with its runs, updated live, and its actions. */
export function useTestSet(id: () => string) {
  const client = useClient()
  const undo = useUndo()
  const list = useRetrieval()
  const set = shallowRef<TestSet | null>(null)
  const runs = shallowRef<readonly RetrievalRun[]>([])
  const failure = shallowRef<Failure | null>(null)
  /** The failure of the last action. */
  const trouble = shallowRef<Failure | null>(null)

  const load = async (): Promise<void> => {
    const [setReply, runsReply] = await Promise.all([
      client.request('retrieval.set', { id: id() }),
      client.request('retrieval.runs', { setId: id(), limit: maxRuns }),
    ])
    failure.value = setReply.ok ? null : setReply.error
    set.value = setReply.ok ? setReply.data : null
    if (runsReply.ok) runs.value = runsReply.data.runs
  }
  const latest = createLatest()
  const configure = async (settings: RetrievalSettings): Promise<void> => {
    const isLatest = latest.start()
    // The next change builds on this one, whether or not it has been confirmed yet.
    if (set.value) set.value = { ...set.value, settings }
    const reply = await client.request('retrieval.configure', { id: id(), settings })
    if (!isLatest()) return
    trouble.value = reply.ok ? null : reply.error
    if (reply.ok) set.value = reply.data
    else await load()
  }
  const rename = async (title: string): Promise<void> => {
    const reply = await client.request('library.rename', { id: id(), title })
    trouble.value = reply.ok ? null : reply.error
    if (reply.ok) await Promise.all([load(), list.load()])
  }
  /** Adds questions in batches of hundreds; returns how many were already in the set. Null when it failed. */
  const add = async (
    questions: RequestOf<'retrieval.addQuestions'>['questions'],
  ): Promise<number | null> => {
    let known = 0
    for (let at = 0; at < questions.length; at += 100) {
      const reply = await client.request('retrieval.addQuestions', {
        setId: id(),
        questions: questions.slice(at, at + 100),
      })
      trouble.value = reply.ok ? null : reply.error
      if (!reply.ok) return null
      known += reply.data.known
    }
    return known
  }
  const edit = async (questionId: string, text: string): Promise<void> => {
    const reply = await client.request('retrieval.editQuestion', { id: questionId, text })
    trouble.value = reply.ok ? null : reply.error
  }
  /** Removes questions from the set, with an undo. */
  const drop = async (ids: readonly string[]): Promise<void> => {
    const reply = await client.request('retrieval.dropQuestions', { ids: [...ids] })
    trouble.value = reply.ok ? null : reply.error
    if (reply.ok)
      undo('retrieval.questionsDropped', ids, () =>
        client.request('retrieval.restoreQuestions', { ids: [...ids] }),
      )
  }
  const start = async (settings: RetrievalSettings): Promise<RetrievalRun | null> => {
    const reply = await client.request('retrieval.start', { setId: id(), settings })
    trouble.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data : null
  }

  void load()
  onScopeDispose(
    client.onEvent((event) => {
      if (event.type === 'retrieval.set' && event.id === id()) void load()
      if (event.type === 'library.changed' && event.itemIds.includes(id())) void load()
      if (event.type === 'retrieval.removed')
        runs.value = runs.value.filter((run) => !event.ids.includes(run.id))
      if (event.type !== 'retrieval.changed' || event.run.setId !== id()) return
      runs.value = withRun(runs.value, event.run)
    }),
  )
  return { set, runs, failure, trouble, load, configure, rename, add, edit, drop, start }
}

import type { Retrieval } from '../service/retrieval/retrieval.ts'
import type { Clock } from '../../../deps.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of knowledge base queries, test sets of them, and run comparisons. */
export const retrievalHandlers = (
  retrieval: Retrieval,
  clock: Clock,
): Pick<Handlers, Extract<keyof Handlers, `retrieval.${string}`>> => ({
  'retrieval.sets': () => ({ sets: retrieval.store.testSets.list() }),
  'retrieval.set': ({ id }) => retrieval.sets.set(id),
  'retrieval.createSet': (request) => retrieval.sets.create(request),
  'retrieval.configure': (request) => retrieval.sets.configure(request),
  'retrieval.addQuestions': (request) => retrieval.sets.add(request),
  'retrieval.editQuestion': (request) => retrieval.sets.edit(request),
  'retrieval.dropQuestions': ({ ids }) => {
    retrieval.sets.drop(ids, clock())
    return {}
  },
  'retrieval.restoreQuestions': ({ ids }) => {
    retrieval.sets.drop(ids, null)
    return {}
  },
  'retrieval.judgements': ({ questionId }) => ({
    judgements: retrieval.store.testSets.judgements(questionId),
  }),
  'retrieval.rate': (request) => retrieval.sets.rate(request),
  'retrieval.saveQuestion': (request) => retrieval.sets.saveQuestion(request),
  'retrieval.ask': (request) => retrieval.ask(request),
  'retrieval.start': (request) => retrieval.start(request),
  'retrieval.runs': (request) => retrieval.store.retrievalRuns.list(request),
  'retrieval.run': ({ id }) => retrieval.run(id),
  'retrieval.row': ({ runId, at }) => retrieval.row(runId, at),
  'retrieval.raw': ({ runId, at }) => ({ reply: retrieval.store.retrievalRuns.raw(runId, at) }),
  'retrieval.images': ({ runId, at }) => retrieval.images(runId, at),
  'retrieval.stop': ({ id }) => retrieval.stop(id),
  'retrieval.retry': ({ id }) => retrieval.retry(id),
  'retrieval.rename': ({ id, title }) => retrieval.rename(id, title),
  'retrieval.removeRuns': async ({ ids }) => {
    await retrieval.removeRuns(ids)
    return {}
  },
  'retrieval.restoreRuns': ({ ids }) => {
    retrieval.restoreRuns(ids)
    return {}
  },
  'retrieval.compare': (request) => retrieval.compare(request),
  'retrieval.export': (request) => retrieval.export(request),
  'retrieval.importRun': (request) => retrieval.sets.importRun(request),
})

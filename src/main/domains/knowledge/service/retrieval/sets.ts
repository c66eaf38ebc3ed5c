import type { ParsedOf, ReplyOf } from '../../../../../shared/contract/routes.ts'
import type { RetrievalRun, TestQuestion, TestSet } from '../../../../../shared/model/retrieval.ts'
import { maxQuestions } from '../../../../../shared/knowledge/retrieval/questions.ts'
import type { Context } from '../../../../context.ts'
import type { Clock, Ids } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import { textKeyOf } from './read-hits.ts'

export interface TestSetsDeps extends Pick<Context, 'emit'> {
  readonly store: Pick<Store, 'accounts' | 'testSets' | 'retrievalRuns' | 'transaction'>
  readonly accounts: Pick<Accounts, 'active'>
  readonly clock: Clock
  readonly ids: Ids
}

/** Test sets: questions, ratings of passages, and imports from files. */
export interface TestSets {
  set(id: string): TestSet
  create(request: ParsedOf<'retrieval.createSet'>): TestSet
  configure(request: ParsedOf<'retrieval.configure'>): TestSet
  add(request: ParsedOf<'retrieval.addQuestions'>): ReplyOf<'retrieval.addQuestions'>
  edit(request: ParsedOf<'retrieval.editQuestion'>): TestQuestion
  drop(ids: readonly string[], at: number | null): void
  rate(request: ParsedOf<'retrieval.rate'>): ReplyOf<'retrieval.rate'>
  saveQuestion(request: ParsedOf<'retrieval.saveQuestion'>): ReplyOf<'retrieval.saveQuestion'>
  importRun(request: ParsedOf<'retrieval.importRun'>): RetrievalRun
}

export function createTestSets(deps: TestSetsDeps): TestSets {
  const { clock, ids } = deps
  const { testSets, retrievalRuns } = deps.store

  const set = (id: string): TestSet => {
    const found = testSets.get(id)
    if (!found) throw new AppError('NOT_FOUND', 'Test set not found')
    return found
  }
  const question = (id: string): TestQuestion => {
    const found = testSets.question(id)
    if (!found) throw new AppError('NOT_FOUND', 'Question not found')
    return found
  }
  const create = (
    title: string,
    settings: TestSet['settings'],
    accountId: string | undefined,
  ): TestSet => {
    const account =
      accountId === undefined ? deps.accounts.active() : deps.store.accounts.get(accountId)
    if (!account) throw new AppError('NOT_FOUND', 'Account not found')
    const made = testSets.create({
      id: ids(),
      title,
      accountId: account.id,
      settings,
      at: clock(),
    })
    deps.emit({ type: 'library.changed', itemIds: [made.id] })
    return made
  }
  /** The question with this text in a set, created if missing. */
  const inSet = (setId: string, text: string, note: string): [TestQuestion, isNew: boolean] => {
    const known = testSets.byText(setId, text)
    return known ? [known, false] : [testSets.add(setId, { id: ids(), text, note }, clock()), true]
  }

  return {
    set,
    create: ({ title, settings, accountId }) => create(title, settings, accountId),
    configure({ id, settings, accountId }) {
      if (accountId !== undefined && !deps.store.accounts.get(accountId))
        throw new AppError('NOT_FOUND', 'Account not found')
      const changed = testSets.configure(
        id,
        { ...(settings && { settings }), ...(accountId !== undefined && { accountId }) },
        clock(),
      )
      deps.emit({ type: 'retrieval.set', id })
      return changed
    },
    add({ setId, questions }) {
      const { questions: there } = set(setId)
      if (there + questions.length > maxQuestions)
        throw new AppError('LIMIT_EXCEEDED', 'The test set has the maximum number of questions', {
          params: { what: 'questions', limit: maxQuestions },
        })
      let known = 0
      const added = deps.store.transaction(() =>
        questions.map(({ text, note, judgements }) => {
          const [entry, isNew] = inSet(setId, text, note)
          if (!isNew) known += 1
          for (const { grade, ...passage } of judgements)
            testSets.rate(entry.id, { ...passage, textKey: textKeyOf(passage.text) }, grade)
          return question(entry.id)
        }),
      )
      deps.emit({ type: 'retrieval.set', id: setId })
      return { questions: added, known }
    },
    edit({ id, text, note }) {
      const { setId } = question(id)
      const edited = testSets.edit(id, {
        ...(text !== undefined && { text }),
        ...(note !== undefined && { note }),
      })
      if (setId !== null) deps.emit({ type: 'retrieval.set', id: setId })
      return edited
    },
    drop(wanted, at) {
      testSets.drop(wanted, at)
      const sets = new Set(wanted.flatMap((id) => testSets.question(id)?.setId ?? []))
      for (const id of sets) deps.emit({ type: 'retrieval.set', id })
    },
    rate({ questionId, passage, grade }) {
      const { setId } = question(questionId)
      const judgements = testSets.rate(questionId, passage, grade)
      if (setId !== null) deps.emit({ type: 'retrieval.set', id: setId })
      return { judgements }
    },
    saveQuestion({ runId, setId, title }) {
      const run = retrievalRuns.get(runId)
      const questionId = retrievalRuns.rows(runId, 0, 1)[0]?.questionId
      const original = questionId ? testSets.question(questionId) : undefined
      if (!run || !original) throw new AppError('NOT_FOUND', 'Question not found')
      const into =
        setId === undefined
          ? create(title ?? original.text.slice(0, 100), run.settings, run.accountId)
          : set(setId)
      const [copy] = inSet(into.id, original.text, '')
      for (const { grade, ...passage } of testSets.judgements(original.id))
        testSets.rate(copy.id, passage, grade)
      deps.emit({ type: 'retrieval.set', id: into.id })
      return { set: set(into.id), question: question(copy.id) }
    },
    importRun({ setId, runId, title, settings, accountName, createdAt, rows }) {
      const { accountId } = set(setId)
      const filled = rows.map(({ question: text, rerank, tookMs: durationMs, tokens, hits }) => ({
        questionId: inSet(setId, text, '')[0].id,
        question: text,
        rerank,
        answer: {
          hits: hits.map((hit, at) => ({
            ...hit,
            textKey: textKeyOf(hit.text),
            rank: at + 1,
            place: { boxes: [], firstPage: null, sheet: null, line: null, hidden: false },
          })),
          tookMs: durationMs,
          tokens,
          requestId: null,
          engine: null,
          notice: null,
          raw: null,
        },
      }))
      const id = runId ?? ids()
      if (runId === undefined)
        retrievalRuns.create({
          id,
          setId,
          title,
          question: filled[0]?.question ?? '',
          accountId,
          accountName,
          settings,
          at: createdAt,
          rows: [],
        })
      else if (retrievalRuns.get(runId)?.setId !== setId)
        throw new AppError('NOT_FOUND', 'Run not found')
      const run = retrievalRuns.append(id, filled, createdAt)
      deps.emit({ type: 'retrieval.set', id: setId })
      return run
    },
  }
}

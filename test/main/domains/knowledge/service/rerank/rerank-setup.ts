import { onTestFinished } from 'vitest'
import { createMediaFiles } from '../../../../../../src/main/platform/files/files.ts'
import type { Accounts } from '../../../../../../src/main/domains/settings/service/accounts/accounts.ts'
import { createRerank } from '../../../../../../src/main/domains/knowledge/service/rerank/rerank.ts'
import type { Rerank } from '../../../../../../src/main/domains/knowledge/service/rerank/rerank-types.ts'
import { openStore } from '../../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import { presets } from '../../../../../../src/shared/provider/profiles.ts'
import type { Ranking, RankingSummary } from '../../../../../../src/shared/model/rerank.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import type { ScriptedServer } from '../../../../../fixtures/scripted-server.ts'
import { unsavedReplies } from '../../../../platform/database/full-store.ts'
import { apiSetup } from '../../../../provider-client/support.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../../platform/database/fixture.ts'

/** Rankings over a real store and a real client. */
export interface RerankSetup {
  readonly server: ScriptedServer
  readonly store: Store
  readonly rerank: Rerank
  /** Summaries reported to pages. */
  readonly reported: RankingSummary[]
  /** Status bar notifications about responses that are not stored. */
  readonly unsaved: ReturnType<typeof unsavedReplies>['reported']
  start(texts: readonly string[], more?: Partial<Parameters<Rerank['start']>[0]>): RankingSummary
  over(id: string): Promise<Ranking>
  /** Answers every request with scores by text. */
  answer(scoreOf: (text: string, documents: readonly string[]) => number): void
  /** The content of each request. */
  sent(): readonly { readonly documents: readonly string[]; readonly top_n?: number }[]
  /** Creates rankings over the same store, as at another start of Lectern. */
  again(): Rerank
}

/** Creates the setup for one test. */
export async function rerankSetup(): Promise<RerankSetup> {
  const { api, server, target } = await apiSetup()
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  const profile = { ...presets.custom, baseUrl: 'https://a.example' }
  store.accounts.put({ id: 'a', preset: 'custom', name: 'A', profile, createdAt: 1 })
  const files = createMediaFiles({ home, clock: Date.now, store })
  const reported: RankingSummary[] = []
  const unsaved = unsavedReplies()
  let serial = 0
  const build = (): Rerank =>
    createRerank({
      keep: unsaved.keep,
      store,
      files,
      api,
      accounts: { target: async () => target() } satisfies Pick<Accounts, 'target'>,
      clock: Date.now,
      ids: () => `ranking-${String((serial += 1)).padStart(4, '0')}`,
      log: memoryLog(),
      mask: (text) => text,
      activeAccountId: () => 'a',
      emit(event) {
        if (event.type === 'rerank.changed') reported.push(event.ranking)
      },
    })
  const rerank = build()
  onTestFinished(async () => {
    await rerank.shutdown()
    await store.close()
    remove()
  })
  const bodies = () =>
    server.requests.map(
      ({ body }) =>
        JSON.parse(body.toString('utf8')) as { documents: readonly string[]; top_n?: number },
    )
  return {
    server,
    store,
    rerank,
    reported,
    unsaved: unsaved.reported,
    start: (texts, more = {}) =>
      rerank.start({
        query: 'Which?',
        candidates: texts.map((text) => ({ text, source: null })),
        topN: 0,
        rawScores: false,
        ...more,
      }),
    over: (id) =>
      eventually(() => {
        const ranking = rerank.get(id)
        if (ranking.state === 'running') throw new Error('it runs')
        return ranking
      }),
    answer(scoreOf) {
      server.always((request) => {
        const { documents, top_n: maxResults = 0 } = JSON.parse(request.body.toString('utf8')) as {
          documents: readonly string[]
          top_n?: number
        }
        const results = documents
          .map((text, index) => ({
            index,
            relevance_score: scoreOf(text, documents),
            document: '',
          }))
          .toSorted((a, b) => b.relevance_score - a.relevance_score)
          .slice(0, maxResults === 0 ? undefined : maxResults)
        return {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ results, usage: { prompt_tokens: 3, total_tokens: 3 } }),
        }
      })
    },
    sent: bodies,
    again: build,
  }
}

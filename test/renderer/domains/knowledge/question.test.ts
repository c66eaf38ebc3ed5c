import { expect, test, vi } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'
import { useQuestion } from '../../../../src/renderer/src/domains/knowledge/retrieval/ask/use-question.ts'
import { defaultSettings } from '../../../../src/renderer/src/domains/knowledge/retrieval/settings.ts'
import { useAccounts } from '../../../../src/renderer/src/domains/settings/index.ts'
import type { RetrievalRun } from '../../../../src/shared/model/retrieval.ts'
import { rendererSetup } from '../../stores.ts'

// Messages need a component.
vi.mock('../../../../src/renderer/src/i18n/use-translation.ts', () => ({
  useTranslation: () => ({ t: (key: string) => key }),
}))

const runOf = (accountId: string): RetrievalRun =>
  ({
    id: 'r',
    question: 'When is high water?',
    accountId,
    settings: {
      ...defaultSettings,
      topK: 3,
      bases: [{ id: 'b', name: 'Tides' }],
      documents: [{ id: 'd', name: 'May' }],
    },
  }) as unknown as RetrievalRun

test.each([true, false])(
  'does not ask the question of a removed account at the active one (accounts loaded first: %s)',
  async (loadedFirst) => {
    const { main, app, run } = rendererSetup()
    app.use(
      createRouter({
        history: createMemoryHistory(),
        routes: [{ path: '/', component: { render: () => null } }],
      }),
    )
    const accounts = run(useAccounts)
    if (loadedFirst) await accounts.load()
    const form = run(useQuestion)
    form.fill(runOf('removed'))
    if (!loadedFirst) await accounts.load()
    expect(form.question.value).toBe('When is high water?')
    expect(form.settings.value).toMatchObject({ topK: 3, bases: [], documents: [] })
    expect([form.ready.value, await form.ask()]).toEqual([false, false])
    await form.makeSet()
    const routes = main.requests.map(({ route }) => route)
    expect(routes.filter((route) => route.startsWith('retrieval.'))).toEqual([])
    // The run of an account that exists keeps them.
    form.fill(runOf(accounts.active?.id ?? ''))
    expect([form.settings.value.bases.length, form.ready.value]).toEqual([1, true])
  },
)

import { expect, test } from 'vitest'
import { effectScope, ref } from 'vue'
import { ago } from '../../../../src/renderer/src/kit/ago.ts'
import {
  assistantCards,
  colorOf,
  initials,
  matchCards,
  tagsOf,
} from '../../../../src/renderer/src/domains/chats/gallery/cards.ts'
import { useGallery } from '../../../../src/renderer/src/domains/chats/gallery/use-gallery.ts'
import { useAccounts } from '../../../../src/renderer/src/domains/settings/accounts/accounts-store.ts'
import { predefinedAssistants } from '../../../../src/shared/provider/assistants.ts'
import type { ListedAssistant } from '../../../../src/shared/model/chat.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

const listed = (id: string, more: Partial<ListedAssistant> = {}): ListedAssistant => ({
  id,
  name: `Name of ${id}`,
  avatar: 'https://pictures.example.org/a.png',
  description: '',
  tools: [],
  tags: [],
  starterPrompts: [],
  listedAt: 1000,
  ...more,
})
const words = (purpose: string) => ({ name: `the ${purpose}`, does: `does ${purpose}` })
const [chat, data] = predefinedAssistants
const chatId = chat?.id ?? ''
const dataId = data?.id ?? ''

test('shows the twelve predefined assistants first, before any list', () => {
  const cards = assistantCards([], words)
  expect(cards.map(({ id }) => id)).toEqual(predefinedAssistants.map(({ id }) => id))
  expect(cards[0]).toMatchObject({ name: 'the chat', description: 'does chat', listedAt: null })
})

test('offers only what this computer can do', () => {
  const names = assistantCards([listed('own')], words, true).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['the chat', 'the mindMaps', 'Name of own']))
  for (const missing of ['drawing', 'webSearch', 'programming', 'fiction'])
    expect(names).not.toContain(`the ${missing}`)
})

test('prefers listed data of a predefined assistant, but keeps its localized name', () => {
  const detailed = listed(chatId, {
    name: 'General chat',
    description: 'Quotes your Library.',
    tags: ['General chat', 'daily', 'the chat', 'daily', ' '],
    tools: ['retrieval'],
    starterPrompts: ['What is new?'],
  })
  const [first, ...others] = assistantCards([listed('own'), detailed], words)
  expect(first).toMatchObject({
    name: 'the chat',
    description: 'Quotes your Library.',
    tags: ['daily'],
    tools: ['retrieval'],
    starters: [{ title: 'What is new?', text: 'What is new?' }],
    listedAt: 1000,
  })
  expect(others.at(-1)).toMatchObject({ id: 'own', name: 'Name of own', purpose: null })
  expect(others).toHaveLength(12)
})

test('shows a starter question by its title, asks it in full, and finds it by both', () => {
  const prompt = { title: 'Idea 1', text: 'Draft a plan for a week in Hangzhou' }
  const cards = assistantCards([listed('own', { starterPrompts: [prompt, 'Plain'] })], words)
  expect(cards.at(-1)?.starters).toEqual([prompt, { title: 'Plain', text: 'Plain' }])
  for (const query of ['idea', 'hangzhou'])
    expect(matchCards(cards, query, '').map(({ id }) => id)).toEqual(['own'])
})

test('names an assistant without a name by its ID, and shows duplicates once', () => {
  const cards = assistantCards([listed('a', { name: ' ' }), listed('a', { name: ' ' })], words)
  expect(cards.filter(({ id }) => id === 'a').map(({ name }) => name)).toEqual(['a'])
})

test('finds cards by all their words, and by a tag', () => {
  const cards = assistantCards(
    [
      listed(dataId, { tags: ['work'], starterPrompts: ['Count the Sales'] }),
      listed('own', { tags: ['work', 'rare'], description: 'Sales of the coast' }),
    ],
    words,
  )
  const ids = (query: string, tag = '') => matchCards(cards, query, tag).map(({ id }) => id)
  expect(ids('SALES')).toEqual([dataId, 'own'])
  expect(ids('sales coast')).toEqual(['own'])
  expect(ids('', 'work')).toEqual([dataId, 'own'])
  expect(ids('count', 'rare')).toEqual([])
  expect(ids('')).toHaveLength(13)
  expect(tagsOf(cards)).toEqual([
    { tag: 'work', count: 2 },
    { tag: 'rare', count: 1 },
  ])
})

test('shows initials for images that are not fetched', () => {
  expect(
    ['General chat', 'grammar', '通用对话', ' (my) own-one ', '3D print', '😀 fun', ''].map(
      initials,
    ),
  ).toEqual(['GC', 'G', '通', 'MO', '3P', 'F', ''])
  expect(colorOf('a', 7)).toBe(colorOf('a', 7))
  const used = new Set(predefinedAssistants.map(({ id }) => colorOf(id, 7)))
  expect(used.size).toBeGreaterThan(3)
})

test('formats the age in the user’s language', () => {
  expect([0, 59_000, 120_000, 3_700_000, 200_000_000].map((ms) => ago(0, ms, 'en'))).toEqual([
    'just now',
    'just now',
    '2 minutes ago',
    '1 hour ago',
    '2 days ago',
  ])
  expect(ago(0, 120_000, 'zh-CN')).toBe('2 分钟前')
  expect(ago(0, 90_000_000, 'zh-CN')).toBe('1 天前')
  expect(ago(0, 59_000, 'zh-CN')).toBe('刚刚')
  expect(ago(5000, 0, 'en')).toBe('just now')
})

const now = 1_800_000_000_000
function gallery(answer: (refresh: boolean) => unknown, scenario = {}) {
  const app = rendererSetup(scenario)
  const scope = effectScope()
  app.main.answer('chats.assistants', ({ refresh }: { refresh: boolean }) => answer(refresh))
  const opened = app.run(() => scope.run(() => useGallery(ref('en'), () => now)))
  if (!opened) throw new Error('no scope')
  const requestedRefresh = () =>
    app.main.requests
      .filter(({ route }) => route === 'chats.assistants')
      .map(({ payload }) => (payload as { refresh?: boolean }).refresh)
  return { ...app, ...opened, requestedRefresh, stop: () => scope.stop() }
}

test('shows saved assistants at once, and requests the list if it was never requested', async () => {
  const {
    load,
    listed: shown,
    at,
    requestedRefresh,
    stop,
  } = gallery((refresh) => ({
    assistants: refresh ? [listed('own')] : [],
    at: refresh ? now - 120_000 : null,
    failure: null,
  }))
  await load()
  expect([shown.value.map(({ id }) => id), at.value]).toEqual([['own'], now - 120_000])
  expect(requestedRefresh().slice(0, 2)).toEqual([false, true])
  stop()
})

test('does not request a list of today again unless asked to', async () => {
  const { load, refresh, requestedRefresh, stop } = gallery(() => ({
    assistants: [],
    at: now - 3_600_000,
    failure: null,
  }))
  await load()
  expect(requestedRefresh()).toEqual([false])
  await refresh()
  expect(requestedRefresh().slice(0, 2)).toEqual([false, true])
  stop()
})

test('requests the on-device list each time, in the language of the page', async () => {
  const { load, requestedRefresh, main, run, stop } = gallery(() => ({
    assistants: [],
    at: now - 60_000,
    failure: null,
  }))
  await run(useAccounts).load()
  await load()
  expect(requestedRefresh().slice(0, 2)).toEqual([false, true])
  const requests = main.requests.filter(({ route }) => route === 'chats.assistants')
  expect(requests[1]?.payload).toEqual({ refresh: true, language: 'en' })
  stop()
})

test('keeps the previous list if a request fails, with the reason', async () => {
  const {
    load,
    refresh,
    listed: shown,
    failure: why,
    at,
    stop,
  } = gallery((refreshes) => ({
    assistants: [listed('own')],
    at: now - 3_600_000,
    failure: refreshes ? failure('OFFLINE') : null,
  }))
  await load()
  await refresh()
  expect([shown.value.length, why.value?.code, at.value]).toEqual([1, 'OFFLINE', now - 3_600_000])
  stop()
})

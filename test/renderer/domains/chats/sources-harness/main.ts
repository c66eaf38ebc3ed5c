import { createPinia } from 'pinia'
import { createApp, defineComponent, h, shallowRef } from 'vue'
import { createRouter, createWebHashHistory } from 'vue-router'
import { createClient } from '../../../../../src/renderer/src/lib/bridge/client.ts'
import { clientKey } from '../../../../../src/renderer/src/lib/bridge/use-client.ts'
import SourcePane from '../../../../../src/renderer/src/domains/chats/sources/SourcePane.vue'
import { useSources } from '../../../../../src/renderer/src/domains/chats/sources/citation-store.ts'
import AnswerTimeline from '../../../../../src/renderer/src/domains/chats/timeline/AnswerTimeline.vue'
import { createMessages, setLanguage } from '../../../../../src/renderer/src/i18n/index.ts'
import type { Language } from '../../../../../src/shared/language.ts'
import ExternalLinkDialog from '../../../../../src/renderer/src/kit/ExternalLinkDialog.vue'
import { useExternalLinks } from '../../../../../src/renderer/src/kit/use-external-links.ts'
import { installTokens } from '../../../../../src/renderer/src/kit/appearance.ts'
import { useSettings } from '../../../../../src/renderer/src/lib/settings-store.ts'
import '../../../../../src/renderer/src/kit/base.css'
import type { ChatMessage } from '../../../../../src/shared/model/chat.ts'
import { createFakeTransport } from '../../../fake-transport.ts'
import { answer, blocks, lighthouse, sentences } from './answers.ts'

/** Returns a page of the document as an image. */
function imageOf(page: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = 1240
  canvas.height = 1653
  const context = canvas.getContext('2d')
  if (context) {
    context.fillStyle = '#fff'
    context.fillRect(0, 0, 1240, 1653)
    context.fillStyle = '#222'
    context.font = '32px serif'
    for (const half of [0, 1])
      context.fillText(
        sentences[(page - 1) * 2 + half] ?? '',
        130,
        1653 * (0.16 + 0.375 * half),
        980,
      )
  }
  return canvas.toDataURL('image/png')
}

const main = createFakeTransport()
let inLibrary = true
main.answer('chats.locate', ({ documentId }: { documentId: string }) =>
  inLibrary && documentId === 'd1' ? { itemId: 'doc1', by: 'push' } : { itemId: null, by: null },
)
main.answer('documents.get', () => ({ document: lighthouse, place: null, preview: null }))
main.answer('documents.pages', ({ first, last }: { first: number; last: number }) => ({
  pages: [],
  blocks: blocks.filter(({ page }) => page >= first && page <= last),
}))
main.answer('documents.find', ({ query }: { query: string }) => ({
  hits: blocks
    .filter(({ content }) => query.split(' ').every((word) => content.includes(word)))
    .map(({ id, page }) => ({ blockId: id, page, snippet: '', ranges: [] })),
  next: null,
}))
main.answer('settings.get', () => ({ developer: true }))
main.answer('documents.images', () => ({ images: [] }))
main.answer('documents.image', ({ page, width }: { page: number; width: number }) => {
  if (width === 160) throw new Error('There are no small ones')
  return { media: { id: imageOf(page) } }
})

const message = shallowRef<ChatMessage>(answer())
const root = defineComponent(() => {
  const sources = useSources()
  void useSettings().load()
  const links = useExternalLinks()
  Object.assign(window, { sources })
  return () =>
    h('div', { style: 'display:flex;height:100%;background:var(--surface)' }, [
      h('main', { style: 'flex:1;min-width:0;overflow:auto;padding:1rem' }, [
        h(AnswerTimeline, { message: message.value, key: message.value.id }),
      ]),
      sources.message &&
        h('aside', { style: 'display:flex;width:26rem;min-height:0;flex:none' }, [h(SourcePane)]),
      // As in the root component of the app.
      links.pendingLink &&
        h(ExternalLinkDialog, {
          link: links.pendingLink,
          onClose: () => (links.pendingLink = null),
        }),
    ])
})

installTokens()
const app = createApp(root)
const client = {
  ...createClient({ open: () => Promise.resolve(main) }),
  mediaUrl: (id: string) => id,
}
const i18n = createMessages()
const empty = { render: () => null }
app.provide(clientKey, client)
app.use(createPinia())
app.use(i18n)
app.use(
  createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/documents/:id', name: 'documents', component: empty },
      { path: '/:rest(.*)*', component: empty },
    ],
  }),
)
app.mount('#app')

/** Actions of the test. */
Object.assign(window, {
  show: (more: Partial<ChatMessage>) => (message.value = answer(more)),
  openSource: (n: number | null) =>
    (Reflect.get(window, 'sources') as ReturnType<typeof useSources>).open(message.value, n),
  library: (has: boolean) => (inLibrary = has),
  asked: () => main.requests.map(({ route, payload }) => [route, payload]),
  answerSlices: (data: unknown) =>
    main.answer('chats.slices', () => ({
      ...message.value,
      slices: [{ requestId: 'r', nodeId: 'n', at: 1_800_000_000_000, data }],
    })),
  speak: (language: Language) => setLanguage(i18n, language),
})

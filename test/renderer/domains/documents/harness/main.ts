import { createPinia } from 'pinia'
import { createApp, defineComponent, h, ref, shallowRef } from 'vue'
import type { Block, BlockKind } from '../../../../../src/shared/model/document.ts'
import MarkdownPane from '../../../../../src/renderer/src/domains/documents/blocks/MarkdownPane.vue'
import type { TextPlace } from '../../../../../src/renderer/src/domains/documents/blocks/use-text-pane.ts'
import CopyMenu from '../../../../../src/renderer/src/domains/documents/copy/CopyMenu.vue'
import { createBlockCopy } from '../../../../../src/renderer/src/domains/documents/copy/use-block-copy.ts'
import { createMessages } from '../../../../../src/renderer/src/i18n/index.ts'
import { installTokens } from '../../../../../src/renderer/src/kit/appearance.ts'
import '../../../../../src/renderer/src/kit/base.css'

const pages = 600
const figure =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const contents: readonly (readonly [kind: BlockKind, content: string])[] = [
  ['title', '## Heading'],
  [
    'text',
    'Words of some length that break over more than one line, with $x_1^2$ in them. '.repeat(6),
  ],
  ['table', '<table><tr><th colspan="2">Sum</th></tr><tr><td>$a<b$</td><td>=1+1</td></tr></table>'],
  ['formula', '$$\\sum_{i=1}^{n} \\frac{a_i}{b}$$'],
  ['figure', '![](page=0,bbox=[1, 2, 3, 4])'],
  ['text', 'A [link](https://example.test/there) and ![p](https://example.test/p.png).'],
  ['text', '**b** '.repeat(5000)],
]
/** Last block of page 5: a list that is rendered in many steps. */
const longList: readonly [kind: BlockKind, content: string] = [
  'text',
  Array.from({ length: 300 }, (_, at) => `- item ${at}`).join('\n'),
]
const blocksOfPage = (page: number): Block[] =>
  [...contents, ...(page === 5 ? [longList] : [])].map(([kind, content], order) => ({
    id: `${page}-${order}`,
    page,
    order,
    kind,
    label: kind,
    nativeLabel: null,
    content,
    edited: null,
    box: null,
    raw: null,
    guessed: false,
  }))

const reported: [what: string, ...values: unknown[]][] = []
const held = new Map<number, Block[]>()
/** Images that were requested and received, and the results of the next ones. */
const loaded = new Map<string, string>()
const loads: 'fails'[] = []
const changes = ref(0)
const pane = shallowRef<{ firstVisible: () => TextPlace | null } | null>(null)
const menu = shallowRef<{ block: Block; anchor: HTMLElement } | null>(null)
const copier = createBlockCopy(
  () =>
    new Promise((resolve) => {
      const canvas = document.createElement('canvas')
      canvas.getContext('2d')?.fillRect(0, 0, 10, 10)
      canvas.toBlob(resolve, 'image/png')
    }),
)

const root = defineComponent(
  () => () =>
    h('div', { style: 'display:flex;height:100%;background:var(--surface)' }, [
      h(MarkdownPane, {
        ref: pane,
        pages,
        changes: changes.value,
        fileHost: false,
        mediaBase: '/media/',
        fixed: false,
        page: (page: number) => ({
          page,
          blocks: 7,
          state: 'returned' as const,
          raster: null,
          error: null,
          versionId: 'v',
        }),
        blocks: (page: number) => held.get(page) ?? null,
        image: (address: string) => loaded.get(address) ?? null,
        async load(address: string) {
          reported.push(['load', address])
          if (loads.shift() === 'fails')
            return { code: 'OFFLINE', message: 'Out of reach', retriable: true, at: 1 } as const
          loaded.set(address, '/media/loaded')
          return null
        },
        crop: () => Promise.resolve(figure),
        onRange(first: number, last: number) {
          reported.push(['range', first, last])
          // Blocks are received a moment later, as from main.
          setTimeout(() => {
            for (let page = first; page <= last; page += 1) {
              if (held.has(page)) continue
              held.set(page, blocksOfPage(page))
              changes.value += 1
            }
          }, 30)
        },
        'onBlock-hover': (block: Block | null) => void reported.push(['hover', block?.id ?? null]),
        'onBlock-choose': (block: Block | null) =>
          void reported.push(['choose', block?.id ?? null]),
        onJump: (block: Block) => void reported.push(['jump', block.id]),
        onCopy(block: Block, anchor: HTMLElement | null) {
          reported.push(['copy', block.id])
          if (anchor) menu.value = { block, anchor }
        },
        'onExternal-link': (url: string) => void reported.push(['link', url]),
        onEdit(block: Block, text: string | null) {
          reported.push(['edit', block.id, text])
          const page = held.get(block.page) ?? []
          held.set(
            block.page,
            page.map((one) => (one.id === block.id ? { ...one, edited: text } : one)),
          )
          changes.value += 1
        },
        onPlace: (place: TextPlace) => void reported.push(['place', place.blockId]),
      }),
      menu.value && h(CopyMenu, { ...menu.value, copier, onClose: () => (menu.value = null) }),
    ]),
)

installTokens()
const app = createApp(root)
app.use(createPinia())
app.use(createMessages())
app.mount('#app')

/** Functions of the pane that the test uses. */
Object.assign(window, {
  pane: () => pane.value,
  reported: () => reported.splice(0),
  failNextImage: () => void loads.push('fails'),
  firstVisible: () => pane.value?.firstVisible() ?? null,
})

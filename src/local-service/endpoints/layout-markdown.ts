import type { PageBlock } from '../engines/pages.ts'

/** What stands at the edge of a page is no part of its text: the vendor's pipeline leaves it out as well (service-notes 12). */
const edges: ReadonlySet<string> = new Set(['header', 'footer', 'number'])

/** One page as Markdown. `page` counts from 0 in the answer; `link` is the address of a picture's crop, if there is one. */
export function pageMarkdown(
  blocks: readonly PageBlock[],
  page: number,
  link: (block: PageBlock) => string | undefined,
): string {
  return blocks
    .filter(({ nativeLabel }) => !edges.has(nativeLabel))
    .map((block) => {
      if (block.label !== 'image') return block.content
      return `![](${link(block) ?? `page=${page},bbox=[${block.box.join(', ')}]`})`
    })
    .join('\n\n')
}

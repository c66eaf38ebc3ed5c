import type { PageBlock } from '../engines/pages/messages.ts'

/**
 * Labels of page margins, which are not part of the text: the provider's pipeline leaves them out as well (service-notes
 * 12).
 */
const edges: ReadonlySet<string> = new Set(['header', 'footer', 'number'])

/**
 * Returns one page as Markdown. `page` counts from 0 in the response; `link` returns the URL of an image crop, if there
 * is one.
 */
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

import { remoteHost } from '../../../../../shared/documents/remote-host.ts'
import type { Block } from '../../../../../shared/model/document.ts'

/** Text of a response that may refer to images. */
type Content = Pick<Block, 'kind' | 'content'>

/** Prefix of the URL of an image in the library; its ID follows. */
const ownScheme = 'doc:'

/**
 * Images in Markdown, with a title or in angle brackets, parentheses in pairs. All lengths are bounded: the text is
 * untrusted.
 */
const inMarkdown =
  /(!\[[^[\]\n]{0,500}\]\([ \t]{0,9}<?)((?:[^\s<>()]|\([^\s<>()]{0,200}\)){1,4096})(?=>?(?:[ \t]{1,9}["'(][^\n"'()]{0,300}["')])?[ \t]{0,9}\))/gu
/** Images in HTML, such as in tables. */
const inHtml =
  /(<img\b(?:[^<>"']|"[^"]{0,2000}"|'[^']{0,2000}'){0,150}?\bsrc[ \t\n]{0,9}=[ \t\n]{0,9}["']?)([^\s"'<>]{1,4096})/giu

/**
 * Returns URLs of images on other computers (only http and https) in contents and visualizations, each once, in order.
 */
export function imageAddresses(
  contents: readonly Content[],
  visualisations: readonly string[] = [],
): readonly string[] {
  const found = new Set<string>()
  const inspect = (address: string): null => {
    if (isRemote(address)) found.add(address)
    return null
  }
  for (const content of contents) rewritten(content, inspect)
  for (const address of visualisations) inspect(address.trim())
  return Array.from(found)
}

/**
 * Returns those that the provider itself inserted: a figure's content that is only a URL, and visualizations. Text is
 * untrusted.
 */
export function filledAddresses(
  contents: readonly Content[],
  visualisations: readonly string[] = [],
): readonly string[] {
  return imageAddresses(
    contents.filter((content) => isAddressAlone(content)),
    visualisations,
  )
}

/**
 * Returns the content with each remote image that is saved in the library replaced by its ID; the others are unchanged.
 */
export const withOwnImages = (content: Content, idOf: (address: string) => string | null): string =>
  rewritten(content, (address) => {
    const id = isRemote(address) ? idOf(address) : null
    return id === null ? null : `${ownScheme}${id}`
  })

/**
 * Returns the content with each image of the library replaced by the URL for its ID; the others are unchanged.
 */
export const withAddresses = (content: Content, addressOf: (id: string) => string | null): string =>
  rewritten(content, (address) =>
    address.startsWith(ownScheme) ? addressOf(address.slice(ownScheme.length)) : null,
  )

const isRemote = (address: string): boolean => remoteHost(address) !== null

const isAddressAlone = ({ kind, content }: Content): boolean =>
  kind === 'figure' && /^(?:https?:\/\/|doc:)\S+$/iu.test(content.trim())

/** A figure's content may be a URL alone; `rewrite` returns null to leave a URL unchanged. */
function rewritten(block: Content, rewrite: (address: string) => string | null): string {
  const { content } = block
  if (isAddressAlone(block)) return rewrite(content.trim()) ?? content
  const text = content.includes('![')
    ? content.replace(inMarkdown, (whole, before: string, address: string) => {
        const other = rewrite(address)
        return other === null ? whole : `${before}${other}`
      })
    : content
  if (!/<img/iu.test(text)) return text
  return text.replace(inHtml, (whole, before: string, address: string) => {
    const other = rewrite(address.replaceAll('&amp;', '&'))
    return other === null ? whole : `${before}${other.replaceAll('&', '&amp;')}`
  })
}

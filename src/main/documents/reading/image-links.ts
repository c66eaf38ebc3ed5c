import { remoteHost } from '../../../shared/document/remote-host.ts'
import type { Block } from '../../../shared/model/document.ts'

/** A text of a reply that may name pictures. */
export type Content = Pick<Block, 'kind' | 'content'>

/** Begins the address of a picture that lies in the library; its id follows. */
export const ownScheme = 'doc:'

/** Pictures in Markdown, with a title or in angle brackets, parentheses in pairs. All lengths are bounded: the text is anybody's. */
const inMarkdown =
  /(!\[[^[\]\n]{0,500}\]\([ \t]{0,9}<?)((?:[^\s<>()]|\([^\s<>()]{0,200}\)){1,4096})(?=>?(?:[ \t]{1,9}["'(][^\n"'()]{0,300}["')])?[ \t]{0,9}\))/gu
/** Pictures in HTML, as tables hold them. */
const inHtml =
  /(<img\b(?:[^<>"']|"[^"]{0,2000}"|'[^']{0,2000}'){0,150}?\bsrc[ \t\n]{0,9}=[ \t\n]{0,9}["']?)([^\s"'<>]{1,4096})/giu

/** Addresses of pictures on other computers (http and https alone) that contents and visualisations name, each once, in order. */
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

/** Of those, the ones that the service itself put there: a figure's content that is an address and nothing else, and visualisations. Text is anybody's. */
export function filledAddresses(
  contents: readonly Content[],
  visualisations: readonly string[] = [],
): readonly string[] {
  return imageAddresses(
    contents.filter((content) => isAddressAlone(content)),
    visualisations,
  )
}

/** The content with each remote picture that the library holds under its id; the others stay. */
export const withOwnImages = (content: Content, idOf: (address: string) => string | null): string =>
  rewritten(content, (address) => {
    const id = isRemote(address) ? idOf(address) : null
    return id === null ? null : `${ownScheme}${id}`
  })

/** The content with each picture of the library under the address that is given for its id; the others stay. */
export const withAddresses = (content: Content, addressOf: (id: string) => string | null): string =>
  rewritten(content, (address) =>
    address.startsWith(ownScheme) ? addressOf(address.slice(ownScheme.length)) : null,
  )

const isRemote = (address: string): boolean => remoteHost(address) !== null

const isAddressAlone = ({ kind, content }: Content): boolean =>
  kind === 'figure' && /^(?:https?:\/\/|doc:)\S+$/iu.test(content.trim())

/** A figure's content may be the address alone; null leaves an address as it is. */
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

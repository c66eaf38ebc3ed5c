import MarkdownIt, { type Token } from 'markdown-it'

interface Reference {
  readonly title: string
  readonly href: string
}

/** Reads as the most trusting reader would: tags are let through, and every address is a link. */
const trusting = new MarkdownIt({ html: true, linkify: false, typographer: false })
trusting.validateLink = () => true

/** Whether nothing in a Markdown text acts where it is opened, and whether it ends where it ends: no tag, no picture, no address that does something, no open fence. */
export function isInert(markdown: string): boolean {
  const references: Record<string, Reference> = {}
  const env = { references }
  const tokens = trusting.parse(`${markdown}\n\n${after}`, env)
  const last = tokens.at(-2)
  if (last?.type !== 'inline' || last.content !== after || last.level !== 1) return false
  return (
    tokens.every(isQuiet) &&
    Object.values(references).every(({ href }) => leads(href)) &&
    // A name that another part of the file explains would make a picture of it.
    (!markdown.includes('![') || trusting.parse(markdown, { references: known }).every(isQuiet))
  )
}

const after = 'after'

/** Every name means something. */
const known: Record<string, Reference> = new Proxy({}, { get: () => ({ href: '#', title: '' }) })

function isQuiet({ type, attrs, children }: Token): boolean {
  if (type === 'html_block' || type === 'html_inline' || type === 'image') return false
  const href = attrs?.find(([name]) => name === 'href')?.[1]
  return (href === undefined || leads(String(href))) && (children?.every(isQuiet) ?? true)
}

/** An address without a scheme, of the web or of mail, or one that was made useless. */
const leads = (href: string): boolean =>
  !/^[\s\p{Cc}]*[a-z][a-z0-9+.-]*:/iu.test(href) || /^(?:https?|mailto|unsafe):/i.test(href)

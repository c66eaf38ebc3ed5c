import MarkdownIt, { type Token } from 'markdown-it'

interface Reference {
  readonly title: string
  readonly href: string
}

/** Parses like the most permissive reader: tags are allowed, and every URL is a link. */
const trusting = new MarkdownIt({ html: true, linkify: false, typographer: false })
trusting.validateLink = () => true

/**
 * Whether nothing in a Markdown text is active when it is opened, and nothing extends beyond its end: no tags, no
 * images, no active URLs, no open fence.
 */
export function isInert(markdown: string): boolean {
  const references: Record<string, Reference> = {}
  const env = { references }
  const tokens = trusting.parse(`${markdown}\n\n${after}`, env)
  const last = tokens.at(-2)
  if (last?.type !== 'inline' || last.content !== after || last.level !== 1) return false
  return (
    tokens.every(isQuiet) &&
    Object.values(references).every(({ href }) => leads(href)) &&
    // A reference that is defined in another part of the file would turn it into an image.
    (!markdown.includes('![') || trusting.parse(markdown, { references: known }).every(isQuiet))
  )
}

const after = 'after'

/** Treats every reference as defined. */
const known: Record<string, Reference> = new Proxy({}, { get: () => ({ href: '#', title: '' }) })

function isQuiet({ type, attrs, children }: Token): boolean {
  if (type === 'html_block' || type === 'html_inline' || type === 'image') return false
  const href = attrs?.find(([name]) => name === 'href')?.[1]
  return (href === undefined || leads(String(href))) && (children?.every(isQuiet) ?? true)
}

/** Whether a URL has no scheme, a web or mail scheme, or was made unusable. */
const leads = (href: string): boolean =>
  !/^[\s\p{Cc}]*[a-z][a-z0-9+.-]*:/iu.test(href) || /^(?:https?|mailto|unsafe):/i.test(href)

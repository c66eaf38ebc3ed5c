import type { BlockKind } from '../model/document.ts'

/**
 * Kinds of the provider's labels (notes on layout parsing: four coarse labels, about 25 native ones); others are
 * `other`.
 */
const kinds: Readonly<Record<string, BlockKind>> = {
  doc_title: 'title',
  paragraph_title: 'title',
  title: 'title',
  text: 'text',
  paragraph: 'text',
  abstract: 'text',
  content: 'text',
  reference: 'text',
  reference_content: 'text',
  vertical_text: 'text',
  list: 'text',
  table: 'table',
  formula: 'formula',
  display_formula: 'formula',
  inline_formula: 'formula',
  image: 'figure',
  figure: 'figure',
  chart: 'figure',
  seal: 'figure',
  header_image: 'figure',
  footer_image: 'figure',
}

/** Returns the kind of a block by its labels; the more specific one takes precedence. */
export function blockKind(label: string, nativeLabel: string | null): BlockKind {
  const known = (name: string | null): BlockKind | undefined =>
    name !== null && Object.hasOwn(kinds, name) ? kinds[name] : undefined
  return known(nativeLabel) ?? known(label) ?? 'other'
}

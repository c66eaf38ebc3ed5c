/** Attributes that are meaningful wherever a text is pasted. */
const allowedAttributes: ReadonlySet<string> = new Set(['colspan', 'rowspan', 'start'])

/** Drawn content as portable HTML: without the page's styles; formulas (MathML) stay unchanged. */
export function plainHtml(part: DocumentFragment): string {
  for (const element of part.querySelectorAll('div, span, a')) {
    if (!element.closest('math')) element.replaceWith(...element.childNodes)
  }
  for (const element of part.querySelectorAll('*')) {
    if (element.closest('math')) continue
    for (const { name } of Array.from(element.attributes))
      if (!allowedAttributes.has(name)) element.removeAttribute(name)
    if (element.nodeName === 'TABLE') element.setAttribute('border', '1')
  }
  const holder = part.ownerDocument.createElement('div')
  holder.append(part)
  return holder.innerHTML.trim()
}

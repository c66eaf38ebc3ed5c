/** Attributes that mean something wherever a text is pasted. */
const allowedAttributes: ReadonlySet<string> = new Set(['colspan', 'rowspan', 'start'])

/** What was drawn, as HTML that any program takes: nothing of the page's looks is left of it, formulas (MathML) stay as they are. */
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

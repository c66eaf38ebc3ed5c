/**
 * Makes the children of a node equal to those of another one, and leaves equal ones unchanged: focus and selection are preserved.
 */
export function patch(shown: Node & ParentNode, wanted: Node & ParentNode): void {
  let old = shown.firstChild
  let next = wanted.firstChild
  while (next) {
    const following = next.nextSibling
    if (old === null) {
      shown.append(next)
    } else {
      const after = old.nextSibling
      if (!patchNode(old, next)) shown.replaceChild(next, old)
      old = after
    }
    next = following
  }
  while (old) {
    const after = old.nextSibling
    old.remove()
    old = after
  }
}

/** Converts one node to the other; returns whether that was possible. */
function patchNode(old: ChildNode, next: ChildNode): boolean {
  if (old instanceof Text && next instanceof Text) {
    if (next.data.startsWith(old.data)) old.appendData(next.data.slice(old.data.length))
    else if (old.data !== next.data) old.data = next.data
    return true
  }
  if (!(old instanceof HTMLElement) || !(next instanceof HTMLElement)) return false
  if (old.localName !== next.localName || old.attributes.length !== next.attributes.length)
    return false
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) return false
  patch(old, next)
  return true
}

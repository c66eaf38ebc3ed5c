/** Highlighted blocks on the pages: the hovered one and the selected one. */
export interface Lights {
  /** Registers the element of a block, or unregisters it. */
  element(id: string, element: HTMLElement | null): void
  /** Highlights one block instead of the previous one. */
  light(id: string | null): void
  choose(id: string | null): void
  readonly lit: string | null
  readonly chosen: string | null
}

/**
 * Highlights blocks by a class on their elements, bypassing Vue: a moving pointer changes two elements and no list is
 * compared. A block whose page is not drawn is remembered and highlighted when its element is registered.
 */
export function createLights(names = { lit: 'lit', chosen: 'chosen' } as const): Lights {
  const elements = new Map<string, HTMLElement>()
  const on: { lit: string | null; chosen: string | null } = { lit: null, chosen: null }
  const change = (kind: 'lit' | 'chosen', id: string | null): void => {
    const before = on[kind]
    if (before === id) return
    if (before !== null) elements.get(before)?.classList.remove(names[kind])
    on[kind] = id
    if (id !== null) elements.get(id)?.classList.add(names[kind])
  }
  return {
    element(id, element) {
      if (!element) {
        elements.delete(id)
        return
      }
      elements.set(id, element)
      element.classList.toggle(names.lit, on.lit === id)
      element.classList.toggle(names.chosen, on.chosen === id)
    },
    light: (id) => change('lit', id),
    choose: (id) => change('chosen', id),
    get lit() {
      return on.lit
    },
    get chosen() {
      return on.chosen
    },
  }
}

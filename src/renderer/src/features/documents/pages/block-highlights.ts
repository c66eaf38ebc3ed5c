/** What stands out on the pages: one block under the pointer, one that was chosen. */
export interface Lights {
  /** Registers the element of a block, or forgets it. */
  element(id: string, element: HTMLElement | null): void
  /** Lights one block and puts the one before out. */
  light(id: string | null): void
  choose(id: string | null): void
  readonly lit: string | null
  readonly chosen: string | null
}

/**
 * Lights blocks by a class on their elements, past Vue: a moving pointer touches two elements and no list is compared.
 * A block whose page is not drawn is remembered and lit when its element comes.
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

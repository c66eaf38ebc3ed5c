import type { Group } from './groups.ts'

/** Distance from the view within which content is prepared, in pixels. */
const margin = 1500

/** Reports groups that come near the view, and leave it. */
export interface Nearness {
  /** Reports the position of a group, and its changes from then on; again if it is watched again. */
  watch(group: Group): void
  end(): void
}

/** Creates it. `left` receives the height of a group in the page. */
export function createNearness(
  entered: (group: Group) => void,
  left: (group: Group, height: number) => void,
): Nearness {
  const groups = new WeakMap<Element, Group>()
  const options: IntersectionObserverInit & { scrollMargin: string } = {
    rootMargin: `${margin}px`,
    scrollMargin: `${margin}px`,
  }
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const group = groups.get(target)
      if (!group) continue
      group.near = isIntersecting
      if (isIntersecting) entered(group)
      else left(group, boundingClientRect.height)
    }
  }, options)
  return {
    watch(group) {
      groups.set(group.element, group)
      observer.unobserve(group.element)
      observer.observe(group.element)
    },
    end: () => observer.disconnect(),
  }
}

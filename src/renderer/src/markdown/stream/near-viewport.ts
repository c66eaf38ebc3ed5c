import type { Group } from './groups.ts'

/** How far from the view what comes near is made ready, in pixels. */
const margin = 1500

/** Tells of groups that come near to the view, and leave it. */
export interface Nearness {
  /** Tells where a group is, and from then on when that changes; again when it is watched again. */
  watch(group: Group): void
  end(): void
}

/** Builds it. `left` hears the height that a group has in the page. */
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

import { computed, shallowRef } from 'vue'

/** The matches of a search in open content (FindBar), and the current one, which may no longer be one of them. */
export function useMatches<Match extends object>(
  isSame: (one: Match, other: Match | null) => boolean,
) {
  const places = shallowRef<readonly Match[]>([])
  const current = shallowRef<Match | null>(null)
  const index = computed(() => places.value.findIndex((one) => isSame(one, current.value)))
  const step = (by: 1 | -1): void => {
    const count = places.value.length
    if (count === 0) return
    const at = index.value < 0 ? (by > 0 ? -1 : 0) : index.value
    // Also for the same match: requesting it again means to show it again.
    const place = places.value[(at + by + count) % count]
    current.value = place ? { ...place } : null
  }
  return { places, current, index, step }
}

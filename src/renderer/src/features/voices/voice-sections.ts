import { defineAsyncComponent, type Component } from 'vue'

/** Parts of Voices, in the order in which they are offered. */
export const voiceParts = ['library', 'clone', 'speak'] as const

/** One of them. */
export type VoicePart = (typeof voiceParts)[number]

/** What a part shows: what stands in the list column below the choice, and the work. The list takes `currentId`, the work `id`: that of the address. The work emits `back` for narrow windows. */
export interface PartViews {
  readonly list: Component
  readonly work: Component
}

/** The parts, each loaded when it is first shown. */
export const partViews: Readonly<Record<VoicePart, PartViews | null>> = {
  library: {
    list: defineAsyncComponent(() => import('./components/VoiceRows.vue')),
    work: defineAsyncComponent(() => import('./components/VoicePane.vue')),
  },
  clone: {
    list: defineAsyncComponent(() => import('./clone/SampleRows.vue')),
    work: defineAsyncComponent(() => import('./clone/ClonePane.vue')),
  },
  speak: {
    list: defineAsyncComponent(() => import('../speech/components/SpeechRows.vue')),
    work: defineAsyncComponent(() => import('../speech/components/SpeechPane.vue')),
  },
}

import { defineAsyncComponent, type Component } from 'vue'

/** Sections of Voices, in the order displayed. */
export const voiceParts = ['library', 'clone', 'speak'] as const

export type VoicePart = (typeof voiceParts)[number]

/**
 * Views of a section: the list column below the choice, and the work area. The list takes `currentId`, the work area `id`: that
 * of the URL. The work area emits `back` for narrow windows.
 */
export interface PartViews {
  readonly list: Component
  readonly work: Component
}

/** The views of the sections, each loaded when first shown. */
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

import { defineAsyncComponent, type Component } from 'vue'

/** Parts of the Knowledge view, in display order. */
export const knowledgePartNames = ['bases', 'retrieval', 'slices'] as const
/** Name of a part in the URL. */
export type KnowledgePartName = (typeof knowledgePartNames)[number]

/** Components of a part, loaded when first shown. */
export interface KnowledgePart {
  /** List below the tabs of the parts; gets `currentId`. */
  readonly list: Component
  /** Main area; gets `id`, which is empty if nothing is open. */
  readonly work: Component
}

/** The parts with their components. */
export const knowledgeParts: Readonly<Partial<Record<KnowledgePartName, KnowledgePart>>> = {
  bases: {
    list: defineAsyncComponent(() => import('./components/BaseList.vue')),
    work: defineAsyncComponent(() => import('./components/BaseWork.vue')),
  },
  retrieval: {
    list: defineAsyncComponent(() => import('../retrieval/RetrievalList.vue')),
    work: defineAsyncComponent(() => import('../retrieval/RetrievalWork.vue')),
  },
  slices: {
    list: defineAsyncComponent(() => import('../slices/SliceList.vue')),
    work: defineAsyncComponent(() => import('../slices/SliceWork.vue')),
  },
}

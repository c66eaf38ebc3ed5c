import { defineAsyncComponent, type Component } from 'vue'

/** The parts of the place, in the order they are offered. */
export const knowledgePartNames = ['bases', 'retrieval', 'slices'] as const
/** Name of a part, as the address has it. */
export type KnowledgePartName = (typeof knowledgePartNames)[number]

/** What a part shows, loaded when it is first looked at. */
export interface KnowledgePart {
  /** Below the choice of parts, in the list's column; given `currentId`. */
  readonly list: Component
  /** The work; given `id`, which is empty where nothing is open. */
  readonly work: Component
}

/** The parts there are: one that is missing is not offered. */
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

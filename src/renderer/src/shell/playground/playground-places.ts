import {
  Binary,
  ChartNoAxesGantt,
  ListOrdered,
  MessageSquareReply,
  Presentation,
  Radar,
  Timer,
} from '@lucide/vue'
import type { Component } from 'vue'

/** All sections of the Playground, in list order; each is the `place` of a path `/playground/PLACE/ID`. */
export const placeNames = [
  'runs',
  'embeddings',
  'rerank',
  'search',
  'responses',
  'tasks',
  'slides',
] as const
/** Name of a section. */
export type PlaceName = (typeof placeNames)[number]

/**
 * A section of the Playground. Its list is shown below the list of sections, its work next to it; both are components that
 * get `id`, the part of the path after the section (empty when there is none), and are loaded on the first visit.
 */
interface PlaygroundLocation {
  readonly icon: Component
  readonly list: () => Promise<{ readonly default: Component }>
  readonly work: () => Promise<{ readonly default: Component }>
}

const runsList = () => import('../../domains/playground/runs/views/RunsList.vue')
const runsWork = () => import('../../domains/playground/runs/views/RunsWork.vue')

/** Components of each section. */
export const places: Readonly<Record<PlaceName, PlaygroundLocation>> = {
  runs: { icon: ListOrdered, list: runsList, work: runsWork },
  embeddings: {
    icon: Binary,
    list: () => import('../../domains/knowledge/embeddings/views/EmbeddingsList.vue'),
    work: () => import('../../domains/knowledge/embeddings/views/EmbeddingsWork.vue'),
  },
  rerank: {
    icon: ChartNoAxesGantt,
    list: () => import('../../domains/knowledge/rerank/views/RerankList.vue'),
    work: () => import('../../domains/knowledge/rerank/views/RerankWork.vue'),
  },
  search: {
    icon: Radar,
    list: () => import('../../domains/library/semantic/views/SemanticList.vue'),
    work: () => import('../../domains/library/semantic/views/SemanticWork.vue'),
  },
  responses: {
    icon: MessageSquareReply,
    list: () => import('../../domains/playground/responses/views/ResponsesList.vue'),
    work: () => import('../../domains/playground/responses/views/ResponsesWork.vue'),
  },
  tasks: {
    icon: Timer,
    list: () => import('../../domains/playground/tasks/views/TasksList.vue'),
    work: () => import('../../domains/playground/tasks/views/TasksWork.vue'),
  },
  slides: {
    icon: Presentation,
    list: () => import('../../domains/playground/slides/views/SlidesList.vue'),
    work: () => import('../../domains/playground/slides/views/SlidesWork.vue'),
  },
}

/** Returns the section of a path: `/playground` and `/playground/new/OPERATION` belong to runs. */
export const placeOf = (place: unknown): PlaceName =>
  placeNames.find((name) => name === place) ?? 'runs'

/** Returns the path of a section. */
export const placePath = (name: PlaceName): string =>
  name === 'runs' ? '/playground' : `/playground/${name}`

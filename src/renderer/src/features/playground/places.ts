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

/** Every place of the Bench, in the order of its list; each is the `place` of an address `/playground/PLACE/ID`. */
export const placeNames = [
  'runs',
  'embeddings',
  'rerank',
  'search',
  'responses',
  'tasks',
  'slides',
] as const
/** A place by its name. */
export type PlaceName = (typeof placeNames)[number]

/**
 * A place of the Bench. Its list stands below the list of places, its work beside it; both are components that take `id`, what
 * the address names after the place (empty when it names none), and are fetched on the first visit.
 */
export interface PlaygroundLocation {
  readonly icon: Component
  readonly list: () => Promise<{ readonly default: Component }>
  readonly work: () => Promise<{ readonly default: Component }>
}

const runsList = () => import('./views/RunsList.vue')
const runsWork = () => import('./views/RunsWork.vue')

/** What each place shows. */
export const places: Readonly<Record<PlaceName, PlaygroundLocation>> = {
  runs: { icon: ListOrdered, list: runsList, work: runsWork },
  embeddings: {
    icon: Binary,
    list: () => import('../embeddings/views/EmbeddingsList.vue'),
    work: () => import('../embeddings/views/EmbeddingsWork.vue'),
  },
  rerank: {
    icon: ChartNoAxesGantt,
    list: () => import('../rerank/views/RerankList.vue'),
    work: () => import('../rerank/views/RerankWork.vue'),
  },
  search: {
    icon: Radar,
    list: () => import('../semantic/views/SemanticList.vue'),
    work: () => import('../semantic/views/SemanticWork.vue'),
  },
  responses: {
    icon: MessageSquareReply,
    list: () => import('../responses/views/ResponsesList.vue'),
    work: () => import('../responses/views/ResponsesWork.vue'),
  },
  tasks: {
    icon: Timer,
    list: () => import('../tasks/views/TasksList.vue'),
    work: () => import('../tasks/views/TasksWork.vue'),
  },
  slides: {
    icon: Presentation,
    list: () => import('../slides/views/SlidesList.vue'),
    work: () => import('../slides/views/SlidesWork.vue'),
  },
}

/** The place an address means: `/playground` and `/playground/new/OPERATION` are about runs. */
export const placeOf = (place: unknown): PlaceName =>
  placeNames.find((name) => name === place) ?? 'runs'

/** Where a place is opened. */
export const placePath = (name: PlaceName): string =>
  name === 'runs' ? '/playground' : `/playground/${name}`

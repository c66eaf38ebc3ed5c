// What other domains use of this one.

export { default as RawResponse } from './runs/components/RawResponse.vue'
export { default as RequestForm } from './runs/components/RequestForm.vue'
export { default as RunState } from './runs/components/RunState.vue'
export { default as SavedRunList } from './runs/components/SavedRunList.vue'
export { default as SavedRunPane } from './runs/components/SavedRunPane.vue'
export { default as SavedRunWork } from './runs/components/SavedRunWork.vue'
export { useSavedRuns } from './runs/saved-runs.ts'

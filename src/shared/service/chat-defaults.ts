/** What the retrieval agent takes where nothing is said (service-notes 6). */
export const agentDefaults = {
  model: 'gen-5v-turbo',
  topK: 8,
  topN: 10,
  similarityThreshold: 0.2,
  temperature: 0.7,
  maxSteps: 10,
} as const

/** Models that assistants answer with (service-notes 8); the first where nothing is said. */
export const assistantModels = ['gen-4-assistant', 'gen-4-alltools'] as const

/** What the retrieval agent takes where nothing is said (spec 4.5, service-notes 6). */
export const agentUsual = {
  model: 'gen-5v-turbo',
  topK: 8,
  topN: 10,
  similarityThreshold: 0.2,
  temperature: 0.7,
  maxSteps: 10,
} as const

/** Models that assistants answer with (spec 4.16); the first where nothing is said. */
export const assistantModels = ['gen-4-assistant', 'gen-4-alltools'] as const

/** Defaults of the retrieval agent (service-notes 6). */
export const agentDefaults = {
  model: 'gen-5v-turbo',
  topK: 8,
  topN: 10,
  similarityThreshold: 0.2,
  temperature: 0.7,
  maxSteps: 10,
} as const

/** Models of assistants (service-notes 8); the first is the default. */
export const assistantModels = ['gen-4-assistant', 'gen-4-alltools'] as const

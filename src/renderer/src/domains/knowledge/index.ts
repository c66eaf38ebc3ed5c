// What other domains use of this one.

export { default as BaseChoice } from './base-choice/BaseChoice.vue'
export { useBases } from './base-choice/base-choice-store.ts'
export {
  sendable,
  isDefault,
  withDefaultSettings,
  plainAgent,
  plainAssistant,
  sameSettings,
} from './base-choice/plain-settings.ts'

/**
 * Limits of a chat file. `nesting` is higher than for a provider response, because its values are nested some levels
 * deeper here; `values` counts those of all levels.
 */
export const chatJsonLimits = {
  bytes: 128 * 1024 * 1024,
  messages: 100_000,
  depth: 100_000,
  nesting: 520,
  values: 10_000_000,
} as const

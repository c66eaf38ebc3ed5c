import { localAccountId, wireModel, type Profile } from './profiles.ts'

/** Type of result of a model, as used by Responses (`chat`) and asynchronous tasks. */
export type ModelUse = 'chat' | 'video' | 'image'

/**
 * Chat models in the API documentation, and names of the on-device video and image models, without the prefix that each host
 * spells differently. The API documents none for Responses, async chats, videos and images; hosts have more.
 */
export const modelNames = {
  chat: ['4', '4-assistant', '4-alltools', '5', '5v-turbo'],
  video: ['video'],
  image: ['image'],
} as const satisfies Readonly<Record<ModelUse, readonly string[]>>

/**
 * Returns model IDs to offer for a use, as spelled by the account's host. Video and image models of other hosts are not
 * documented: only the IDs entered in the profile are offered for them.
 */
export function offeredModels(
  use: ModelUse,
  account: { readonly id: string; readonly profile: Profile },
): readonly string[] {
  const { id, profile } = account
  const named =
    use === 'chat' || id === localAccountId ? modelNames[use].map((name) => `gen-${name}`) : []
  const spelled = [
    ...named.map((name) => wireModel(profile, name)),
    ...Object.values(profile.modelIds),
  ]
  return Array.from(new Set(spelled))
}

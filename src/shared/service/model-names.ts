import { localAccountId, wireModel, type Profile } from './profiles.ts'

/** What a model makes, as Responses (`chat`) and asynchronous tasks ask for it. */
export type ModelUse = 'chat' | 'video' | 'image'

/**
 * Chat models the interface documents, and names by which this computer makes videos and pictures, without the prefix that each
 * host spells in its own way. The interface names none for Responses, async chats, videos and images; hosts have more.
 */
export const modelNames = {
  chat: ['4', '4-assistant', '4-alltools', '5', '5v-turbo'],
  video: ['video'],
  image: ['image'],
} as const satisfies Readonly<Record<ModelUse, readonly string[]>>

/**
 * Model ids to offer for a use, as the account's host spells them. What other hosts make videos and pictures with is not documented:
 * for them only the ids that somebody entered in the profile are offered.
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

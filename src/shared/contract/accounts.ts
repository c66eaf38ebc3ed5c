import { z } from 'zod'
import { limitNames } from '../provider/limits.ts'
import { isWireSpelling, wireDefaults, type Account, type WireName } from '../provider/profiles.ts'
import { callerIdPattern, route } from './contract.ts'
import type { Failure } from './reply.ts'

const id = z.string().min(1).max(64)
const ids = z.record(z.string().min(1).max(100), z.string().min(1).max(100))
const wireNames = Object.keys(wireDefaults) as WireName[]
const spelling = (name: WireName) => z.string().refine((text) => isWireSpelling(name, text))

/** Profile as entered in Settings, Advanced. The base URL is validated by `checkBaseUrl`. */
export const profileSchema = z.strictObject({
  baseUrl: z.string().max(1024),
  modelPrefix: z
    .string()
    .max(40)
    .regex(/^[\w.-]*$/),
  modelIds: ids,
  agentIds: ids,
  wire: z.strictObject(
    Object.fromEntries(wireNames.map((name) => [name, spelling(name)])) as Record<
      WireName,
      ReturnType<typeof spelling>
    >,
  ),
  limits: z.record(
    z.string().refine((name) => limitNames.includes(name)),
    z.number().positive(),
  ),
  concurrency: z.number().int().min(1).max(30),
  acceptLanguage: z
    .string()
    .max(100)
    .regex(/^[\x20-\x7e]*$/),
})

/** Storage location of a key, and nothing more: the key itself never leaves the main process. */
export interface KeyStatus {
  readonly present: boolean
  /**
   * `keychain`: in the OS keychain; `session`: in memory until Lectern closes; `built-in`: the local service needs none.
   */
  readonly backend: 'keychain' | 'session' | 'built-in' | 'none'
  /** The OS store's name, for example `Secret Service`. */
  readonly store: string
  readonly last4: string | null
  /** Why the keychain could not be used; `otherOrigin`: its key was entered for another host. */
  readonly trouble:
    | 'absent'
    | 'disconnected'
    | 'noReply'
    | 'locked'
    | 'failed'
    | 'otherOrigin'
    | null
}

/** Account with the key status that the renderer may know. */
export interface AccountView extends Account {
  readonly key: KeyStatus
  readonly active: boolean
}

/** Result of a cheap test request that the renderer can explain. */
export type ConnectionCheck =
  | { readonly outcome: 'ok'; readonly ms: number; readonly model: string | null }
  | { readonly outcome: 'failed'; readonly ms: number; readonly error: Failure }

/** Account routes: where requests are sent, and whether an API key is set. */
export const accounts = {
  list: route<readonly AccountView[]>()(z.strictObject({})),
  create: route<AccountView>()(
    z.strictObject({
      preset: z.enum(['bigmodel', 'zai', 'custom']),
      name: z.string().trim().min(1).max(80),
      baseUrl: z.string().max(1024).optional(),
    }),
  ),
  update: route<AccountView>()(
    z.strictObject({
      id,
      name: z.string().trim().min(1).max(80).optional(),
      profile: profileSchema.optional(),
    }),
  ),
  remove: route<Record<string, never>>()(z.strictObject({ id })),
  activate: route<AccountView>()(z.strictObject({ id })),
  /** The only route that carries an API key, and only to the main process. */
  setKey: route<KeyStatus>()(
    z.strictObject({
      id,
      key: z
        .string()
        .trim()
        .min(8)
        .max(512)
        .regex(/^[\x21-\x7e]+$/),
      /** The origin the user saw when entering the key; rejected if the account has moved to another one since. */
      origin: z.string().max(1024).optional(),
    }),
  ),
  clearKey: route<KeyStatus>()(z.strictObject({ id })),
  check: route<ConnectionCheck>()(
    z.strictObject({ id, callId: z.string().regex(callerIdPattern) }),
  ),
}

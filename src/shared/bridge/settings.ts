import { z } from 'zod'
import { partBounds } from '../document/plan.ts'
import type { Settings } from '../model/settings.ts'
import { route } from './contract.ts'

const patch = z
  .strictObject({
    theme: z.enum(['system', 'light', 'dark']),
    language: z.enum(['system', 'en', 'zh-CN']),
    welcomed: z.boolean(),
    listWidth: z.number().int().min(200).max(600),
    pagesWidth: z.number().int().min(240).max(1400),
    partPages: z.number().int().min(partBounds.pages.min).max(partBounds.pages.max),
    partMegabytes: z.number().int().min(partBounds.megabytes.min).max(partBounds.megabytes.max),
    partRequests: z.number().int().min(partBounds.requests.min).max(partBounds.requests.max),
    inspectorOpen: z.boolean(),
    updateChecks: z.boolean(),
    updateOnQuit: z.boolean(),
    /** All of them: what is not named is forgotten. */
    prices: z
      .record(z.string().max(200), z.string().max(20))
      .refine((prices) => Object.keys(prices).length <= 200),
  })
  .partial()

/** Some of {@link Settings}; what is absent stays as it is. The active account is chosen by `accounts.activate`, proxy and certificates by `network.*`. */
export type SettingsPatch = z.infer<typeof patch>

/** Routes of the settings that belong to no account. */
export const settings = {
  get: route<Settings>()(z.strictObject({})),
  update: route<Settings>()(patch),
}

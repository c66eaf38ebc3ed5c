import { z } from 'zod'
import { partBounds } from '../documents/plan.ts'
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
    /** Complete list: entries that are missing are removed. */
    prices: z
      .record(z.string().max(200), z.string().max(20))
      .refine((prices) => Object.keys(prices).length <= 200),
  })
  .partial()

/**
 * Part of {@link Settings}; absent fields stay unchanged. The active account is set by `accounts.activate`, proxy and
 * certificates by `network.*`.
 */
export type SettingsPatch = z.infer<typeof patch>

/** Routes of settings that do not belong to an account. */
export const settings = {
  get: route<Settings>()(z.strictObject({})),
  update: route<Settings>()(patch),
}

import { limitNames } from '../../../../../shared/provider/limits.ts'
import type { PresetId, Profile, WireName } from '../../../../../shared/provider/profiles.ts'
import {
  checkBaseUrl,
  isWireSpelling,
  presets,
  wireDefaults,
  wireModel,
} from '../../../../../shared/provider/profiles.ts'

/** Profile as edited in the form: tables of IDs are lines of text. */
export interface ProfileForm {
  baseUrl: string
  modelPrefix: string
  modelIds: string
  agentIds: string
  wire: string
  limits: string
  concurrency: number | null
  acceptLanguage: string
}

/** Problem of a field: key of its message, with values. */
interface Problem {
  readonly key: string
  readonly values: Readonly<Record<string, string | number>>
}

/** Problems by field; the form can be saved if there are none. */
type Problems = Partial<Record<keyof ProfileForm, Problem>>

/** Converts a profile to a form. */
export function toForm(profile: Profile): ProfileForm {
  return {
    baseUrl: profile.baseUrl,
    modelPrefix: profile.modelPrefix,
    modelIds: linesOf(profile.modelIds),
    agentIds: linesOf(profile.agentIds),
    wire: linesOf({ ...profile.wire }),
    limits: linesOf(profile.limits),
    concurrency: profile.concurrency,
    acceptLanguage: profile.acceptLanguage,
  }
}

/** Returns the form of a preset; a custom account keeps its own base URL, because its preset has none. */
export function presetForm(preset: PresetId, baseUrl: string): ProfileForm {
  const form = toForm(presets[preset])
  return form.baseUrl === '' ? { ...form, baseUrl } : form
}

/** Validates a form, field by field. */
export function problemsOf(form: ProfileForm): Problems {
  const problems: Problems = {}
  const url = checkBaseUrl(form.baseUrl)
  if (!url.ok) problems.baseUrl = { key: urlProblem(url.reason), values: {} }
  for (const field of ['modelIds', 'agentIds'] as const) {
    const line = badLine(form[field])
    if (line > 0) problems[field] = { key: 'accounts.idsBad', values: { line } }
  }
  const name = wrongLine(form.wire, (key, value) => isWireName(key) && isWireSpelling(key, value))
  if (name) problems.wire = { key: 'accounts.wireBad', values: { line: name } }
  const limit = wrongLine(
    form.limits,
    (key, value) => limitNames.includes(key) && Number(value) > 0,
  )
  if (limit) problems.limits = { key: 'accounts.limitsBad', values: { line: limit } }
  return problems
}

/** Returns the message key for an invalid base URL. */
export function urlProblem(reason: 'not-a-url' | 'not-https' | 'credentials' | 'query'): string {
  const keys = {
    'not-a-url': 'accounts.urlNotAUrl',
    'not-https': 'accounts.urlNotHttps',
    credentials: 'accounts.urlCredentials',
    query: 'accounts.urlQuery',
  } as const
  return keys[reason]
}

/** Returns the default name of an account: a custom one is distinguished by its host. */
export function defaultName(preset: PresetId, baseUrl: string, presetName: string): string {
  const url = checkBaseUrl(baseUrl)
  return preset === 'custom' && url.ok ? new URL(url.url).host.slice(0, 80) : presetName
}

/** Converts a form without problems to a profile. */
export function toProfile(form: ProfileForm): Profile {
  return {
    baseUrl: form.baseUrl.trim(),
    modelPrefix: form.modelPrefix.trim(),
    modelIds: idsOf(form.modelIds),
    agentIds: idsOf(form.agentIds),
    wire: { ...wireDefaults, ...idsOf(form.wire) },
    limits: Object.fromEntries(
      Object.entries(idsOf(form.limits)).map(([name, value]) => [name, Number(value)]),
    ),
    concurrency: Math.min(30, Math.max(1, Math.round(form.concurrency ?? 1))),
    acceptLanguage: form.acceptLanguage.trim(),
  }
}

/** Returns how the prefix appears in a request, using the transcription model as the example. */
export function prefixExample(form: ProfileForm): string {
  const neutral = 'gen-asr-2512'
  const ids = badLine(form.modelIds) > 0 ? {} : idsOf(form.modelIds)
  const wire = wireModel(
    { ...presets.custom, modelPrefix: form.modelPrefix.trim(), modelIds: ids },
    neutral,
  )
  return `${neutral} → ${wire}`
}

const isWireName = (name: string): name is WireName => Object.hasOwn(wireDefaults, name)

/** Returns the first line that does not match `fits`, as typed; empty if all match. */
function wrongLine(lines: string, fits: (key: string, value: string) => boolean): string {
  const wrong = lines.split('\n').find((line) => {
    const [key = '', value = ''] = line.split('=', 2).map((part) => part.trim())
    return line.trim() !== '' && !fits(key, value)
  })
  return wrong?.trim().slice(0, 60) ?? ''
}

function linesOf(ids: Readonly<Record<string, string | number>>): string {
  return Object.entries(ids)
    .map(([neutral, wire]) => `${neutral} = ${wire}`)
    .join('\n')
}

function idsOf(lines: string): Record<string, string> {
  const ids: Record<string, string> = {}
  for (const line of lines.split('\n')) {
    const [neutral = '', wire = ''] = line.split('=', 2).map((part) => part.trim())
    if (neutral !== '' && wire !== '') ids[neutral] = wire
  }
  return ids
}

/** Returns the number of the first line, counted from 1, that is not of the form `id = id`; 0 for none. */
function badLine(lines: string): number {
  return (
    lines
      .split('\n')
      .findIndex((line) => line.trim() !== '' && !/^\s*[^=\s]+\s*=\s*[^=\s]+\s*$/.test(line)) + 1
  )
}

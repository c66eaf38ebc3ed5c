import { isParsable } from './parsable.ts'

/** Presets in the first-run card. */
export type PresetId = 'local' | 'bigmodel' | 'zai' | 'custom'

/** Names that differ between hosts (docs/service-notes.md), as data: API field names per operation. */
export interface WireNames {
  /** service-notes 4: the prior-context field. */
  readonly transcriptionPrompt: string
  /** service-notes 4: the hotword field, repeated once per word. */
  readonly transcriptionHotwords: string
  /** service-notes 3: query parameters of the voice list. */
  readonly voiceName: string
  readonly voiceType: string
  /** service-notes 5: the two flags. */
  readonly rerankDocuments: string
  readonly rerankRawScores: string
  /** service-notes 6: the header that continues a conversation, and the thinking flag of the body. */
  readonly agentSession: string
  readonly agentThinking: string
  /** service-notes 7: embedding model by ID and by code, context enhancement. */
  readonly knowledgeEmbeddingId: string
  readonly knowledgeEmbeddingModel: string
  readonly knowledgeContextual: string
  /** service-notes 7: query parameters of lists. */
  readonly page: string
  readonly pageSize: string
}

export type WireName = keyof WireNames

/** Connection profile of one host of the API. Everything here can be edited in Settings, Advanced. */
export interface Profile {
  /** Without trailing slash. Empty for the built-in service, whose address is known only while it is running. */
  readonly baseUrl: string
  /** Replaces the neutral `gen-` prefix of model IDs in requests. */
  readonly modelPrefix: string
  /** Complete model IDs that do not follow the prefix, by neutral ID. */
  readonly modelIds: Readonly<Record<string, string>>
  /** Complete agent IDs, by neutral ID. */
  readonly agentIds: Readonly<Record<string, string>>
  readonly wire: WireNames
  /** Limits that differ for this host, by their names in limits.ts (`rerank.documents`). */
  readonly limits: Readonly<Record<string, number>>
  /** Maximum number of requests in flight per model. */
  readonly concurrency: number
  /** `Accept-Language` of every request: the language of error messages. */
  readonly acceptLanguage: string
}

/** Default API field names of service-notes 3 to 7. */
export const wireDefaults: WireNames = {
  transcriptionPrompt: 'prompt',
  transcriptionHotwords: 'hotwords',
  voiceName: 'voiceName',
  voiceType: 'voiceType',
  rerankDocuments: 'return_documents',
  rerankRawScores: 'return_raw_scores',
  agentSession: 'X-Session-Id',
  agentThinking: 'enable_thinking',
  knowledgeEmbeddingId: 'embedding_id',
  knowledgeEmbeddingModel: 'embedding_model',
  knowledgeContextual: 'contextual',
  page: 'page',
  pageSize: 'size',
}

const remote = (baseUrl: string): Profile => ({
  baseUrl,
  modelPrefix: 'glm-',
  modelIds: {},
  agentIds: { slides_gen_agent: 'slides_glm_agent' },
  wire: wireDefaults,
  limits: {},
  concurrency: 4,
  acceptLanguage: 'en-US,en',
})

/** Defaults of each preset. API field names and base URLs follow docs/service-notes.md. */
export const presets: Readonly<Record<PresetId, Profile>> = {
  local: { ...remote(''), modelPrefix: 'gen-', agentIds: {}, concurrency: 1 },
  bigmodel: remote('https://open.bigmodel.cn/api'),
  zai: remote('https://api.z.ai/api'),
  custom: remote(''),
}

/** Returns the model or agent ID as this host spells it: `modelIds`/`agentIds` first, then the prefix. */
export function wireModel(profile: Profile, neutralId: string): string {
  const exact = Object.hasOwn(profile.modelIds, neutralId) ? profile.modelIds[neutralId] : undefined
  if (exact) return exact
  return neutralId.startsWith('gen-')
    ? profile.modelPrefix + neutralId.slice('gen-'.length)
    : neutralId
}

/** Headers of the request itself: a session ID under one of these names would break it or replace the key. */
const ownHeaders =
  /^(accept|authorization|connection|cookie|date|expect|host|http2-settings|keep-alive|origin|referer|request-id|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via|(accept|access-control|content|if|proxy|sec)-.*)$/i

/**
 * Returns whether an API field or header may have this name: a plain name, unless the API reference requires a specific one.
 */
export function isWireSpelling(name: WireName, spelling: string): boolean {
  if (name === 'agentSession')
    return /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(spelling) && !ownHeaders.test(spelling)
  return /^[A-Za-z_][A-Za-z0-9_.-]{0,63}(\[\])?$/.test(spelling)
}

/** An account: a named profile with its own key (in the keychain). */
export interface Account {
  readonly id: string
  readonly preset: PresetId
  readonly name: string
  readonly profile: Profile
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** ID of the account that always exists: this computer. */
export const localAccountId = 'this-computer'

/**
 * Validates a base URL as typed: https anywhere, http for loopback only, no credentials, query or fragment. Returns the URL
 * without trailing slash, or the reason it is rejected.
 */
export function checkBaseUrl(
  text: string,
):
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: 'not-a-url' | 'not-https' | 'credentials' | 'query' } {
  // A URL needs a scheme and a host; the pattern restricts what may be typed, and the parser decides.
  // A path is printable ASCII: other characters would be encoded differently in the request than validated here.
  const match = /^(https?):\/\/([^/?#\\\s]+)([!"$->@-[\]-~]*)$/i.exec(text.trim())
  if (!match) return { ok: false, reason: /[?#]/.test(text) ? 'query' : 'not-a-url' }
  const [, scheme = '', authority = '', path = ''] = match
  if (authority.includes('@')) return { ok: false, reason: 'credentials' }
  const host = authority.replace(/:\d{1,5}$/, '').toLowerCase()
  if (!/^(\[[0-9a-f:]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/.test(host))
    return { ok: false, reason: 'not-a-url' }
  const loopback = host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
  if (scheme.toLowerCase() === 'http' && !loopback) return { ok: false, reason: 'not-https' }
  const url = `${scheme.toLowerCase()}://${authority.toLowerCase()}${path.replace(/\/+$/, '')}`
  // The parser treats a host that ends in a number as an IPv4 address, however odd: it must match its spelling.
  const numeric = /(^|\.)(\d+|0x[0-9a-f]*)$/.test(host)
  if ((numeric && !plainIpv4.test(host)) || !isParsable(url))
    return { ok: false, reason: 'not-a-url' }
  return { ok: true, url }
}

const plainIpv4 = /^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/

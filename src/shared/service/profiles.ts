import { isParsable } from './parsable.ts'

/** The presets the first-run card offers. */
export type PresetId = 'local' | 'bigmodel' | 'zai' | 'custom'

/** Names that differ between hosts (docs/service-notes.md), as data: wire field names per operation. */
export interface WireNames {
  /** 4.14: the prior-context field. */
  readonly transcriptionPrompt: string
  /** 4.14: the hotword field, repeated once per word. */
  readonly transcriptionHotwords: string
  /** 4.3: query parameters of the voice list. */
  readonly voiceName: string
  readonly voiceType: string
  /** 4.4: the two switches. */
  readonly rerankDocuments: string
  readonly rerankRawScores: string
  /** 4.5: the header that continues a conversation, and the thinking switch of the body. */
  readonly agentSession: string
  readonly agentThinking: string
  /** 4.7: vectorisation model by id and by code, context enhancement. */
  readonly knowledgeEmbeddingId: string
  readonly knowledgeEmbeddingModel: string
  readonly knowledgeContextual: string
  /** 4.9: query parameters of lists. */
  readonly page: string
  readonly pageSize: string
}

/** Name of a wire name. */
export type WireName = keyof WireNames

/** How one host of the interface is spoken to. Everything here can be edited under Settings, Advanced. */
export interface Profile {
  /** Without trailing slash. Empty for the built-in service, whose address is known only while it runs. */
  readonly baseUrl: string
  /** Replaces the neutral `gen-` prefix of model ids on the wire. */
  readonly modelPrefix: string
  /** Whole model ids that do not follow the prefix, by neutral id. */
  readonly modelIds: Readonly<Record<string, string>>
  /** Whole agent ids, by neutral id. */
  readonly agentIds: Readonly<Record<string, string>>
  readonly wire: WireNames
  /** Limits that this host sets otherwise, by their names in limits.ts (`rerank.documents`). */
  readonly limits: Readonly<Record<string, number>>
  /** Calls in flight per model. */
  readonly concurrency: number
  /** `Accept-Language` of every call: the language of error messages. */
  readonly acceptLanguage: string
}

/** Wire names as service-notes 3 to 7 found them. */
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

/** Defaults of each preset. Wire names and base URLs follow docs/service-notes.md. */
export const presets: Readonly<Record<PresetId, Profile>> = {
  local: { ...remote(''), modelPrefix: 'gen-', agentIds: {}, concurrency: 1 },
  bigmodel: remote('https://open.bigmodel.cn/api'),
  zai: remote('https://api.z.ai/api'),
  custom: remote(''),
}

/** The model or agent id as this host spells it: `modelIds`/`agentIds` first, then the prefix. */
export function wireModel(profile: Profile, neutralId: string): string {
  const exact = Object.hasOwn(profile.modelIds, neutralId) ? profile.modelIds[neutralId] : undefined
  if (exact) return exact
  return neutralId.startsWith('gen-')
    ? profile.modelPrefix + neutralId.slice('gen-'.length)
    : neutralId
}

/** Headers that carry the call itself; under one of their names a session id would break it, or take the key's place. */
const ownHeaders =
  /^(accept|authorization|connection|cookie|date|expect|host|http2-settings|keep-alive|origin|referer|request-id|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via|(accept|access-control|content|if|proxy|sec)-.*)$/i

/** Whether a field or header of the wire may have this name: what the API reference leaves open is a plain name. */
export function isWireSpelling(name: WireName, spelling: string): boolean {
  if (name === 'agentSession')
    return /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(spelling) && !ownHeaders.test(spelling)
  return /^[A-Za-z_][A-Za-z0-9_.-]{0,63}(\[\])?$/.test(spelling)
}

/** An account: a profile under a name, with (in the keychain) a key of its own. */
export interface Account {
  readonly id: string
  readonly preset: PresetId
  readonly name: string
  readonly profile: Profile
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** Id of the account that always exists: this computer. */
export const localAccountId = 'this-computer'

/**
 * Checks a base URL as typed: https anywhere, http for loopback only, no credentials, query or fragment.
 * Returns the URL without trailing slash, or the reason it is refused.
 */
export function checkBaseUrl(
  text: string,
):
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: 'not-a-url' | 'not-https' | 'credentials' | 'query' } {
  // A URL needs a scheme and a host; the pattern says what may be typed, and the parser has the last word.
  // A path is printable ASCII: what else was typed would be written differently on the wire than it was judged here.
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
  // A host that ends in a number is an IPv4 address to the parser, however odd: it must read as it is written.
  const numeric = /(^|\.)(\d+|0x[0-9a-f]*)$/.test(host)
  if ((numeric && !plainIpv4.test(host)) || !isParsable(url))
    return { ok: false, reason: 'not-a-url' }
  return { ok: true, url }
}

const plainIpv4 = /^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/

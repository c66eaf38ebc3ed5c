import type { Limits } from '../../shared/service/limits.ts'
import { AppError } from '../errors.ts'
import type { SlicingRules } from './documents.ts'
import type { FormFile } from './multipart.ts'
import { checkOneOf } from './path-part.ts'
import { checkRange, illegal, requireSome } from './request-limits.ts'

const knowledgeTypes = [1, 2, 3, 5, 6, 7]

/** Rejects chunking rules the provider would reject (service-notes 7). */
export function checkSlicing(rules: SlicingRules, limits: Limits): void {
  const { minChars: min, maxChars: max } = limits.slicing
  checkOneOf('knowledge_type', rules.knowledgeType, knowledgeTypes)
  if (rules.sentenceSize !== undefined)
    checkRange('sentence_size', rules.sentenceSize, { min, max, whole: true })
  for (const separator of rules.separators ?? []) requireSome('custom_separator', separator)
}

/** Rejects an empty upload: no files, or one without content (EMPTY_FILE). */
export function checkFiles(files: readonly FormFile[]): void {
  requireSome('files', files)
  for (const { bytes, name } of files)
    if (bytes === 0) throw new AppError('EMPTY_FILE', 'The file is empty.', { params: { name } })
}

/** Rejects a word limit that is not a whole number. */
export function checkWordLimit(limit: number | undefined): void {
  if (limit === undefined) return
  checkRange('word_num_limit', limit, { min: 1, max: Number.MAX_SAFE_INTEGER, whole: true })
}

/** Rejects a URL upload without URLs or with invalid ones. */
export function checkUrls(urls: readonly { readonly url: string }[]): void {
  requireSome('upload_detail', urls)
  for (const { url } of urls)
    if (!/^https?:\/\/[^\s/]/i.test(url)) throw illegal('url', url.toWellFormed().slice(0, 200))
}

import { engineNames } from '../../shared/provider/engine-names.ts'
import { fillSentence } from '../../shared/provider/sentences.ts'
import { engineNotices } from '../../shared/provider/engine-notices.ts'
import type { ServiceContext, Handler, Route } from '../context.ts'
import { ServiceError } from '../errors.ts'
import type { Upload } from '../file-store.ts'
import { fieldMissing, readJsonBody } from '../json-body.ts'
import { objectsOf, requiredText } from '../json-fields.ts'
import { limits } from '../../shared/provider/limits.ts'
import type { StoredDocument } from '../knowledge/documents.ts'
import { capacity } from '../knowledge/knowledge.ts'
import { documentKind } from '../knowledge/readers/kind.ts'
import type { DocumentKind } from '../../shared/knowledge/slicing/types.ts'
import {
  maxDocumentBytes,
  readDocumentForm,
  rulesOf,
  type DocumentForm,
  type UploadedFile,
} from './document-form.ts'
import { envelope } from './envelope.ts'
import { noCallback, wantsCallback, pagingOf } from './knowledge-fields.ts'
import { baseOf } from './knowledge.ts'

const megabyte = 1024 * 1024
const maxNameChars = 255

/** Document as the API returns it (service-notes 7); `failInfo` only if it failed. */
const documentJson = (document: StoredDocument, { knowledge }: ServiceContext): object => ({
  id: document.id,
  knowledge_id: document.baseId,
  knowledge_type: document.rules.type,
  custom_separator: document.rules.separators,
  sentence_size: document.rules.sentenceSize,
  length: document.tokens,
  word_num: document.words,
  name: document.name,
  url: document.media === null ? '' : knowledge.urlOf(document.media),
  embedding_stat: document.state,
  ...(document.failure && {
    failInfo: {
      embedding_code: document.failure.code,
      embedding_msg: document.failure.message,
    },
  }),
})

function documentOf({ knowledge }: ServiceContext, id: string): StoredDocument {
  const document = knowledge.documents.get(id)
  if (!document) throw new ServiceError('notFound', 'Document not found')
  return document
}

/** Returns the type of the file, or the reason why it is rejected. */
function checkFile(
  { name, upload, head }: UploadedFile,
  free: number,
): { readonly kind: DocumentKind } | { readonly reason: string } {
  if (name === '' || name.length > maxNameChars)
    return { reason: fillSentence(engineNotices.fileName, { max: maxNameChars }) }
  if (upload.bytes === 0) return { reason: engineNotices.fileEmpty }
  const found = documentKind(name, head)
  if ('reason' in found) return found
  const isImage = found.kind === 'png' || found.kind === 'jpeg'
  const maxBytes = isImage ? limits.layout.imageBytes : maxDocumentBytes
  if (upload.bytes > maxBytes)
    return { reason: fillSentence(engineNotices.fileLarge, { max: maxBytes / megabyte }) }
  if (upload.bytes > free) return { reason: engineNotices.knowledgeFull }
  return found
}

interface Outcome {
  readonly successInfos: { readonly documentId: string; readonly fileName: string }[]
  readonly failedInfos: { readonly fileName: string; readonly failReason: string }[]
}

async function keepAll(
  form: DocumentForm,
  baseId: string,
  { knowledge, ids, clock }: ServiceContext,
): Promise<Outcome> {
  const outcome: Outcome = { successInfos: [], failedInfos: [] }
  for (const file of form.files) {
    const { name, upload } = file
    const verdict = checkFile(file, capacity.bytes - knowledge.bases.used().bytes)
    if ('reason' in verdict) {
      outcome.failedInfos.push({ fileName: name, failReason: verdict.reason })
      await upload.discard()
      continue
    }
    const at = clock()
    const { id: fileId, bytes } = await upload.keep({
      filename: name,
      purpose: 'knowledge',
      createdAt: Math.floor(at / 1000),
    })
    const { rules, parseImage, wordLimit } = form
    const id = ids()
    const facts = { id, baseId, fileId, name, bytes, at, rules, parseImage, wordLimit }
    knowledge.add({ ...facts, kind: verdict.kind })
    outcome.successInfos.push({ documentId: id, fileName: name })
  }
  return outcome
}

/**
 * `POST .../document/upload_document/{base}`: `files` may be repeated; each file starts as running or is rejected with a
 * reason.
 */
const upload: Handler = async ({ incoming, params }, context) => {
  const uploads: Upload[] = []
  try {
    const form = await readDocumentForm(incoming, context.knowledge.fileStore, (one) => {
      uploads.push(one)
    })
    const base = baseOf(context, params['id'] ?? '')
    const outcome = await keepAll(form, base.id, context)
    uploads.length = 0
    return envelope(context, outcome, { notice: form.callback ? noCallback : undefined })
  } finally {
    // Discards uploads that were not saved because validation failed.
    await Promise.all(uploads.map((one) => one.discard()))
  }
}

const fetchesNothing = engineNotices.fetchesNothing

/**
 * `POST .../document/upload_url`: rejects every URL with a reason, because the local service downloads nothing.
 */
const uploadUrls: Handler = async ({ incoming }, context) => {
  const body = await readJsonBody(incoming)
  const id = requiredText(body, 'knowledge_id')
  const items = objectsOf(body, 'upload_detail')
  if (!items || items.length === 0) throw fieldMissing('upload_detail')
  const urls = items.map((item) => {
    rulesOf(item)
    wantsCallback(item)
    return requiredText(item, 'url')
  })
  baseOf(context, id)
  const failedInfos = urls.map((url) => ({ url, failReason: fetchesNothing }))
  return envelope(context, { successInfos: [], failedInfos }, { notice: fetchesNothing })
}

/** `GET /llm-application/open/document`; `word` matches part of the name. */
const list: Handler = async ({ query }, context) => {
  const id = query.get('knowledge_id')
  if (!id) throw fieldMissing('knowledge_id')
  const { page, size } = pagingOf(query)
  const base = baseOf(context, id)
  const word = query.get('word') ?? ''
  const { documents, total } = context.knowledge.documents.list(base.id, word, page, size)
  return envelope(context, {
    list: documents.map((document) => documentJson(document, context)),
    total,
  })
}

/** `GET /llm-application/open/document/{id}`. */
const detail: Handler = async ({ params }, context) =>
  envelope(context, documentJson(documentOf(context, params['id'] ?? ''), context))

/** `DELETE /llm-application/open/document/{id}`: also cancels its embedding. */
const remove: Handler = async ({ params }, context) => {
  await context.knowledge.deleteDocument(documentOf(context, params['id'] ?? ''))
  return envelope(context, undefined)
}

/**
 * `POST /llm-application/open/document/embedding/{id}`: accepted; the client polls the document. The body is optional.
 */
const embed: Handler = async ({ incoming, params }, context) => {
  const bare = !incoming.headers['transfer-encoding'] && !Number(incoming.headers['content-length'])
  const callback = !bare && wantsCallback(await readJsonBody(incoming))
  context.knowledge.embed(documentOf(context, params['id'] ?? '').id)
  const engine = fillSentence(engineNames.encoderAndKnowledge, { engine: context.text.name })
  return envelope(context, undefined, { engine, notice: callback ? noCallback : undefined })
}

/** `POST /llm-application/open/document/slice/image_list/{id}`: images found with `parse_image`. */
const images: Handler = async ({ params }, context) => {
  const document = documentOf(context, params['id'] ?? '')
  const { slices, urlOf } = context.knowledge
  const found = slices
    .images(document.id)
    .map(({ text, media }) => ({ text, cos_url: urlOf(media) }))
  return envelope(context, { images: found }, { engine: context.pages.name })
}

export const documentsRoutes: readonly Route[] = [
  ['POST', '/llm-application/open/document/upload_document/:id', upload],
  ['POST', '/llm-application/open/document/upload_url', uploadUrls],
  ['POST', '/llm-application/open/document/embedding/:id', embed],
  ['POST', '/llm-application/open/document/slice/image_list/:id', images],
  ['GET', '/llm-application/open/document', list],
  ['GET', '/llm-application/open/document/:id', detail],
  ['DELETE', '/llm-application/open/document/:id', remove],
]

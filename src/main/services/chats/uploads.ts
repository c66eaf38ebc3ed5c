import type { ChatAttachment } from '../../../shared/model/chat.ts'
import { imageEndings, purposes } from '../../../shared/service/file-purposes.ts'
import type { FilePurpose } from '../../api/files.ts'
import type { Api, ServiceTarget } from '../../api/types.ts'
import type { InputFile } from '../../operations/operation.ts'

/** What uploading needs. */
export interface UploadsDeps {
  readonly api: { readonly files: Pick<Api['files'], 'upload'> }
  /** A kept file. Throws FILE_MISSING. */
  file(mediaId: string): Promise<InputFile>
}

/**
 * Uploads the files of a question that the service does not have yet. `onUploaded` gets the attachments after each one, so that what
 * was uploaded is not uploaded again. Throws what uploading throws.
 */
export async function uploadFiles(
  { api, file }: UploadsDeps,
  attachments: readonly ChatAttachment[],
  target: ServiceTarget,
  signal: AbortSignal,
  onUploaded: (attachments: readonly ChatAttachment[]) => void,
): Promise<readonly ChatAttachment[]> {
  let now = attachments
  for (const [at, attachment] of attachments.entries()) {
    if (attachment.kind !== 'file' || attachment.fileId !== null) continue
    const found = await file(attachment.mediaId)
    const request = { file: found, purpose: purposeOf(found) }
    const { value } = await api.files.upload(target, request, { signal })
    now = now.with(at, { ...attachment, fileId: value.id })
    onUploaded(now)
  }
  return now
}

/** The documented purpose where it takes the file, else the one of old clients, which has no rule but the size (service-notes 2, 8). */
export function purposeOf({ name, bytes }: Pick<InputFile, 'name' | 'bytes'>): FilePurpose {
  const rule = purposes.get('agent')
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const maxBytes = (imageEndings.has(ending) ? rule?.imageBytes : undefined) ?? rule?.bytes ?? 0
  return rule?.endings?.includes(ending) && bytes <= maxBytes ? 'agent' : 'assistant'
}

/** The attachments as if nothing was uploaded: for a service that does not know the ids any more. */
export const withoutFileIds = (attachments: readonly ChatAttachment[]): readonly ChatAttachment[] =>
  attachments.map((each) => (each.kind === 'file' ? { ...each, fileId: null } : each))

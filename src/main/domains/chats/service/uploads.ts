import type { ChatAttachment } from '../../../../shared/model/chat.ts'
import { imageEndings, purposes } from '../../../../shared/provider/file-purposes.ts'
import type { FilePurpose } from '../../../provider-client/files.ts'
import type { ServiceTarget } from '../../../provider-client/types.ts'
import type { Api } from '../../../provider-client/api.ts'
import type { InputFile } from '../../../operations/operation.ts'

interface UploadsDeps {
  readonly api: { readonly files: Pick<Api['files'], 'upload'> }
  /** Returns a saved file. Throws FILE_MISSING. */
  file(mediaId: string): Promise<InputFile>
}

/**
 * Uploads the files of a question that the provider does not have yet. `onUploaded` gets the attachments after each
 * upload, so that no file is uploaded twice. Throws the errors of uploading.
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

/**
 * Returns the documented purpose if it accepts the file, else the legacy one, which limits only the size (service-notes
 * 2, 8).
 */
export function purposeOf({ name, bytes }: Pick<InputFile, 'name' | 'bytes'>): FilePurpose {
  const rule = purposes.get('agent')
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const maxBytes = (imageEndings.has(ending) ? rule?.imageBytes : undefined) ?? rule?.bytes ?? 0
  return rule?.endings?.includes(ending) && bytes <= maxBytes ? 'agent' : 'assistant'
}

/** Returns the attachments without file IDs: for a provider that no longer knows them. */
export const withoutFileIds = (attachments: readonly ChatAttachment[]): readonly ChatAttachment[] =>
  attachments.map((each) => (each.kind === 'file' ? { ...each, fileId: null } : each))

import { imageEndings, purposes } from '../../shared/service/file-purposes.ts'
import { AppError } from '../errors.ts'
import type { FormFile } from './file-chunks.ts'
import { over } from './request-limits.ts'
import type { ServiceTarget } from './types.ts'

/**
 * Rejects files the purpose does not allow (service-notes 2; 16 for voice samples): UNSUPPORTED_FORMAT by file extension,
 * FILE_TOO_LARGE in bytes, EMPTY_FILE. Unknown purposes are left to the provider.
 */
export function checkUpload(file: FormFile, purpose: string, target: ServiceTarget): void {
  const { name, bytes } = file
  if (bytes === 0) throw new AppError('EMPTY_FILE', 'The file is empty.', { params: { name } })
  const rule = purposes.get(purpose)
  if (!rule) return
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (rule.endings && !rule.endings.includes(ending))
    throw new AppError('UNSUPPORTED_FORMAT', 'The provider does not support this file type.', {
      params: { what: 'file', name, value: ending, allowed: rule.endings.join(', ') },
    })
  const limit = maxBytesOf(purpose, imageEndings.has(ending), target) ?? rule.bytes
  if (bytes > limit) throw over('FILE_TOO_LARGE', 'file', limit, bytes, { name })
}

/** The sample limit is in service-notes 16, and a profile may change it; the others are fixed. */
function maxBytesOf(purpose: string, isImage: boolean, target: ServiceTarget): number | undefined {
  if (purpose === 'voice-clone-input') return target.limits.voiceClone.bytes
  const rule = purposes.get(purpose)
  return isImage ? rule?.imageBytes : rule?.bytes
}

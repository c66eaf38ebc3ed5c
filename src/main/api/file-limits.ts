import { imageEndings, purposes } from '../../shared/service/file-purposes.ts'
import { AppError } from '../errors.ts'
import type { FormFile } from './file-chunks.ts'
import { over } from './request-limits.ts'
import type { ServiceTarget } from './types.ts'

/**
 * Refuses what the purpose does not take (service-notes 2 and 16 for samples of a voice): UNSUPPORTED_FORMAT by the ending
 * of its name, FILE_TOO_LARGE in bytes, EMPTY_FILE. A purpose nobody described is left to the service.
 */
export function checkUpload(file: FormFile, purpose: string, target: ServiceTarget): void {
  const { name, bytes } = file
  if (bytes === 0) throw new AppError('EMPTY_FILE', 'The file is empty.', { params: { name } })
  const rule = purposes.get(purpose)
  if (!rule) return
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (rule.endings && !rule.endings.includes(ending))
    throw new AppError('UNSUPPORTED_FORMAT', 'The service does not take this kind of file.', {
      params: { what: 'file', name, value: ending, allowed: rule.endings.join(', ') },
    })
  const limit = maxBytesOf(purpose, imageEndings.has(ending), target) ?? rule.bytes
  if (bytes > limit) throw over('FILE_TOO_LARGE', 'file', limit, bytes, { name })
}

/** The limit of a sample is one of service-notes 16, which a profile may change; the others cannot be changed. */
function maxBytesOf(purpose: string, isImage: boolean, target: ServiceTarget): number | undefined {
  if (purpose === 'voice-clone-input') return target.limits.voiceClone.bytes
  const rule = purposes.get(purpose)
  return isImage ? rule?.imageBytes : rule?.bytes
}

import { systemCode } from '../../../system/system-code.ts'
import { AppError } from '../../errors.ts'

/**
 * Returns the AppError for a file system error: DISK_FULL, READ_ONLY or FILE_MISSING; other errors are returned unchanged.
 */
export function fromFileSystem(error: unknown): unknown {
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError('DISK_FULL', 'The disk with the library is full', {
        retriable: true,
        cause: error,
      })
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new AppError('READ_ONLY', 'The data folder is not writable', { cause: error })
    case 'ENOENT':
      return new AppError('FILE_MISSING', 'The file is missing', { cause: error })
    default:
      return error
  }
}

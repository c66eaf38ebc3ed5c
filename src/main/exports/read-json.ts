import { meetingJson, type MeetingJson } from '../../shared/bridge/meeting-json.ts'
import { AppError } from '../errors.ts'

/**
 * Parses Lectern's JSON. Throws UNSUPPORTED_FORMAT for other JSON, DAMAGED_FILE for Lectern's if it is inconsistent.
 */
export function readMeetingJson(text: string): MeetingJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new AppError('DAMAGED_FILE', 'The JSON is invalid or incomplete', {
      params: { kind: 'json' },
    })
  }
  const ours = typeof value === 'object' && value !== null && 'format' in value ? value : null
  if (ours?.format !== 'lectern-meeting')
    throw new AppError('UNSUPPORTED_FORMAT', 'The JSON is not a meeting exported from Lectern', {
      params: { kind: 'json', problem: 'foreign' },
    })
  const read = meetingJson.safeParse(value)
  if (read.success) return read.data
  const reason = read.error.issues[0]?.path.join('.') ?? ''
  throw new AppError('DAMAGED_FILE', `The meeting is inconsistent: ${reason}`, {
    params: { kind: 'json', reason },
  })
}

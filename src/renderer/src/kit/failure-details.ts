import type { Failure } from '../../../shared/contract/reply.ts'

/** The lines under Details: label (a key below `failure.`) and value, only known ones. */
export function failureDetails(failure: Failure, time: string): (readonly [string, string])[] {
  const { service } = failure
  const lines: (readonly [string, string | number | undefined])[] = [
    ['code', failure.code],
    ['message', failure.message],
    ['status', service?.status],
    ['serviceCode', service?.code],
    ['serviceMessage', service?.message],
    ['requestId', service?.requestId],
    ['logId', service?.logId],
    ['time', time],
  ]
  return lines.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as const],
  )
}

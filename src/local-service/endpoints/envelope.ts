import { engineNames } from '../../shared/service/engine-names.ts'
import type { ServiceContext } from '../context.ts'
import { jsonReply } from '../response.ts'
import type { ServiceReply } from '../response.ts'

/** What answers without an engine say about who answered. */
export const storeName = engineNames.knowledge

/** What may stand beside the data of an answer. */
export interface EnvelopeMeta {
  /** Who answered; absent: {@link storeName}. */
  readonly engine?: string
  /** What could not be done, in plain sentences. */
  readonly notice?: string | undefined
}

/** Success of the knowledge and slice operations: `{data,code:200,message,timestamp}`, the time in milliseconds (service-notes 1). Without data there is no such field. */
export function envelope(
  context: Pick<ServiceContext, 'clock'>,
  data: unknown,
  { engine = storeName, notice }: EnvelopeMeta = {},
): ServiceReply {
  return jsonReply({
    ...(data !== undefined && { data }),
    code: 200,
    message: 'Success',
    timestamp: context.clock(),
    engine,
    ...(notice !== undefined && { notice }),
  })
}

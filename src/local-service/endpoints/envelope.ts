import { engineNames } from '../../shared/provider/engine-names.ts'
import type { ServiceContext } from '../context.ts'
import { jsonReply, type ServiceReply } from '../http.ts'

/** Default engine name of responses that need no engine. */
const storeName = engineNames.knowledge

/** Optional fields next to the data of a response. */
interface EnvelopeMeta {
  /** Name of the engine; defaults to {@link storeName}. */
  readonly engine?: string
  /** Limitations of the result, in plain sentences. */
  readonly notice?: string | undefined
}

/**
 * Success envelope of the knowledge and slice operations: `{data,code:200,message,timestamp}`, timestamp in milliseconds
 * (service-notes 1). Omits `data` if there is none.
 */
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

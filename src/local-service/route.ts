import type { ServiceContext } from './context.ts'
import type { ServiceReply } from './response.ts'
import type { ServiceRequest } from './request.ts'

/** Answers one operation. Throws ServiceError. */
export type Handler = (request: ServiceRequest, context: ServiceContext) => Promise<ServiceReply>

/** One operation. Path segments that begin with `:` are passed to the handler. Earlier routes win. */
export type Route = readonly [method: string, path: string, handler: Handler]

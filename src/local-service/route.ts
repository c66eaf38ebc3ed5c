import type { ServiceContext } from './context.ts'
import type { ServiceReply } from './response.ts'
import type { ServiceRequest } from './request.ts'

/** Answers one operation. Throws ServiceError. */
export type Handler = (request: ServiceRequest, context: ServiceContext) => Promise<ServiceReply>

/** One operation; parts of the path that begin with `:` are handed to the handler. Earlier routes win. */
export type Route = readonly [method: string, path: string, handler: Handler]

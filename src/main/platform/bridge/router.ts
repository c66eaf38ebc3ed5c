import {
  routes,
  type ParsedOf,
  type ReplyOf,
  type RouteName,
} from '../../../shared/contract/routes.ts'
import type { Route } from '../../../shared/contract/contract.ts'
import type { Failure, Reply } from '../../../shared/contract/reply.ts'
import type { Clock, Log } from '../../deps.ts'
import { AppError, misfit, toFailure } from '../../errors.ts'
import type { PageConnection } from '../../host.ts'

/** Context of a call besides its request. */
interface CallContext {
  /** The page that called. */
  readonly connection: PageConnection
  /** Stops an export. */
  readonly signal?: AbortSignal
}

/** Handles one route; throws AppError for every expected failure. */
type Handler<N extends RouteName> = (
  request: ParsedOf<N>,
  context: CallContext,
) => Promise<ReplyOf<N>> | ReplyOf<N>

/** Closed map: a missing or an extra handler does not compile. */
export type Handlers = { readonly [N in RouteName]: Handler<N> }

interface RouterDeps {
  readonly handlers: Handlers
  readonly log: Log
  readonly clock: Clock
  /** Masks registered secrets in text that leaves the main process. */
  redact(text: string): string
}

/** Dispatches a call: name, strict parsing, handler, envelope. Never throws, whatever the input. */
type Router = (
  connection: PageConnection,
  route: string,
  payload: unknown,
) => Promise<Reply<unknown>>

/** Creates the router for a closed handler map (architecture rule 1). */
export function createRouter({ handlers, log, clock, redact }: RouterDeps): Router {
  const entries = new Map<string, (payload: unknown, context: CallContext) => Promise<unknown>>()
  const add = <N extends RouteName>(name: N): void => {
    const handler: Handler<N> = handlers[name]
    entries.set(name, async (payload, context) => {
      const found: Route | Promise<Route> = routes[name]()
      // Without a pause once its domain is loaded: requests to all routes of a domain keep their order.
      const { request } = found instanceof Promise ? await found : found
      const parsed = request.safeParse(payload)
      if (!parsed.success) {
        const { what, reason } = misfit(parsed.error.issues)
        log.warn('invalid request', { route: name, what, reason })
        throw new AppError('BAD_REQUEST', `${name}: ${what}: ${reason}`)
      }
      return handler(parsed.data as ParsedOf<N>, context)
    })
  }
  for (const name of Object.keys(routes) as RouteName[]) add(name)

  const refuse = (error: unknown): Reply<never> => {
    const failure = toFailure(error, clock())
    return { ok: false, error: redactFailure(failure, redact) }
  }

  return async (connection, route, payload) => {
    const entry = typeof route === 'string' ? entries.get(route) : undefined
    if (!entry) {
      log.warn('request for an unknown route')
      return refuse(new AppError('ROUTE_NOT_FOUND', 'Route not found'))
    }
    try {
      return { ok: true, data: await entry(payload, { connection }) }
    } catch (error) {
      if (!(error instanceof AppError)) log.error('unexpected error', { route, error })
      return refuse(error)
    }
  }
}

/** Returns a failure whose texts cannot contain a registered secret. */
export function redactFailure(failure: Failure, redact: (text: string) => string): Failure {
  return {
    ...failure,
    message: redact(failure.message),
    ...(failure.service && {
      service: {
        ...failure.service,
        ...(failure.service.message !== undefined && {
          message: redact(failure.service.message),
        }),
      },
    }),
  }
}

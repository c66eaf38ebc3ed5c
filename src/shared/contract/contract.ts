import type { z } from 'zod'

/** Bridge route: the strict schema of its request, and (as a type only) its reply. */
export interface Route<S extends z.ZodType = z.ZodType, R = unknown> {
  readonly request: S
  /** Never set; carries the reply type. */
  readonly reply?: R
}

/**
 * Declares a route: `route<ReplyType>()(requestSchema)`. Use `z.strictObject`, so that unknown fields are rejected.
 */
export const route =
  <R>() =>
  <S extends z.ZodType>(request: S): Route<S, R> => ({ request })

/** Routes whose module is loaded with the first request to one of them: promises until then. */
type LazyRoutes<D extends Readonly<Record<string, Route>>> = {
  readonly [K in keyof D]: () => D[K] | Promise<D[K]>
}

/**
 * Declares the routes of a domain without loading it: building all schemas takes longer than opening the library, and the first
 * frame needs few of them. Requests to a domain keep their order while it is being loaded.
 */
export function lazyRoutes<D extends Readonly<Record<string, Route>>>(
  load: () => Promise<D>,
): LazyRoutes<D> {
  let loaded: D | undefined
  let loading: Promise<D> | undefined
  const once = (): Promise<D> =>
    (loading ??= load().then(
      (routes) => (loaded = routes),
      (error: unknown) => {
        // The next request tries again.
        loading = undefined
        throw error
      },
    ))
  const whenLoaded = async (name: keyof D): Promise<Route> => (await once())[name] as Route
  const get = (_target: unknown, name: string | symbol) => () =>
    loaded ? loaded[name as keyof D] : whenLoaded(name as keyof D)
  return new Proxy<object>({}, { get }) as LazyRoutes<D>
}

/** IDs created by the caller (streams, cancelable calls): 8 to 64 characters of `A-Z a-z 0-9 _ -`. */
export const callerIdPattern = /^[A-Za-z0-9_-]{8,64}$/

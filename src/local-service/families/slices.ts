import type { Route } from '../route.ts'

/** The operations of this family. */
export const slicesRoutes: readonly Route[] = []

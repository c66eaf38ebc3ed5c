import type { Route } from '../route.ts'

/** The operations of this family. */
export const slidesRoutes: readonly Route[] = []

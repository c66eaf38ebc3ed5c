import type { RequestOf } from '../../../../shared/bridge/routes.ts'

/** What the form of a knowledge base is filled with. */
export type BaseFields = Omit<RequestOf<'knowledge.create'>, 'accountId'>

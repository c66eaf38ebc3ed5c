import type { RequestOf } from '../../../../shared/bridge/routes.ts'

/** Fields of the knowledge base form. */
export type BaseFields = Omit<RequestOf<'knowledge.create'>, 'accountId'>

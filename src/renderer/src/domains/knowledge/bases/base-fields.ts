import type { RequestOf } from '../../../../../shared/contract/routes.ts'

/** Fields of the knowledge base form. */
export type BaseFields = Omit<RequestOf<'knowledge.create'>, 'accountId'>

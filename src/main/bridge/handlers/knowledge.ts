import type { Knowledge } from '../../services/knowledge/all.ts'
import type { Handlers } from '../router.ts'

/** Knowledge bases (spec 4.7 to 4.11). */
export const knowledgeHandlers = (
  knowledge: Knowledge,
): Pick<Handlers, 'knowledge.list' | 'knowledge.refresh'> => ({
  'knowledge.list': (request) => knowledge.list(request),
  'knowledge.refresh': (request) => knowledge.refresh(request),
})

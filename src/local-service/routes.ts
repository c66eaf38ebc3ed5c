import type { ServiceContext, Route } from './context.ts'
import { ServiceError } from './errors.ts'
import { agentRoutes } from './endpoints/agent.ts'
import { assistantsRoutes } from './endpoints/assistants.ts'
import { documentsRoutes } from './endpoints/documents.ts'
import { embeddingsRoutes } from './endpoints/embeddings.ts'
import { knowledgeRoutes } from './endpoints/knowledge.ts'
import { layoutRoutes } from './endpoints/layout.ts'
import { rerankRoutes } from './endpoints/rerank.ts'
import { responsesRoutes } from './endpoints/responses.ts'
import { slicesRoutes } from './endpoints/slices.ts'
import { slidesRoutes } from './endpoints/slides.ts'
import { speechRoutes } from './endpoints/speech.ts'
import { tasksRoutes } from './endpoints/tasks.ts'
import { deleteFile, fileContent, listFiles, uploadFile } from './endpoints/files.ts'
import { transcribe } from './endpoints/transcriptions.ts'
import { voicesRoutes } from './endpoints/voices.ts'
import { mediaPath } from './media-store.ts'
import type { ServiceReply, ServiceRequest } from './http.ts'

/** All routes of the local service. */
const routes: readonly Route[] = [
  ['GET', `${mediaPath}:name`, ({ params }, { media }) => media.get(params['name'] ?? '')],
  ['POST', '/paas/v4/audio/transcriptions', transcribe],
  ['POST', '/paas/v4/files', uploadFile],
  ['GET', '/paas/v4/files', listFiles],
  ['DELETE', '/paas/v4/files/:id', deleteFile],
  ['GET', '/paas/v4/files/:id/content', fileContent],
  ...voicesRoutes,
  ...agentRoutes,
  ...assistantsRoutes,
  ...documentsRoutes,
  ...embeddingsRoutes,
  ...knowledgeRoutes,
  ...layoutRoutes,
  ...rerankRoutes,
  ...responsesRoutes,
  ...slicesRoutes,
  ...slidesRoutes,
  ...speechRoutes,
  ...tasksRoutes,
]

/** Returns the values of the `:name` segments if the path matches the pattern. */
function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = value
    else if (part !== value) return undefined
  }
  return params
}

/** Finds the handler of a request and runs it. Throws ServiceError for an unknown path or method. */
export async function dispatch(
  request: ServiceRequest,
  context: ServiceContext,
): Promise<ServiceReply> {
  for (const [method, pattern, handler] of routes) {
    const params = method === request.method ? matchPath(pattern, request.path) : undefined
    if (params) return handler({ ...request, params }, context)
  }
  throw new ServiceError('unknownPath', '404 NOT_FOUND')
}

import type { ServiceContext } from './context.ts'
import { ServiceError } from './errors.ts'
import { agentRoutes } from './families/agent.ts'
import { assistantsRoutes } from './families/assistants.ts'
import { documentsRoutes } from './families/documents.ts'
import { embeddingsRoutes } from './families/embeddings.ts'
import { knowledgeRoutes } from './families/knowledge.ts'
import { layoutRoutes } from './families/layout.ts'
import { rerankRoutes } from './families/rerank.ts'
import { responsesRoutes } from './families/responses.ts'
import { slicesRoutes } from './families/slices.ts'
import { slidesRoutes } from './families/slides.ts'
import { speechRoutes } from './families/speech.ts'
import { tasksRoutes } from './families/tasks.ts'
import { deleteFile, fileContent, listFiles, uploadFile } from './families/files.ts'
import { transcribe } from './families/transcriptions.ts'
import { voicesRoutes } from './families/voices.ts'
import { mediaPath } from './media-shelf.ts'
import type { ServiceReply } from './reply.ts'
import type { ServiceRequest } from './request.ts'
import type { Route } from './route.ts'

/** What this computer answers: the table of contents of the service. */
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

/** Values of the `:name` parts when the path fits the pattern. */
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

/** Finds the handler of a call and runs it. Throws ServiceError for a path or method that is not served. */
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

import {
  refusalIn,
  type OutputItem,
  type StoredResponse,
} from '../../../../../shared/model/response.ts'
import type { RemoteItemContent } from '../../store/remote-items-types.ts'
import { titleFrom, textFrom } from './remote-item-title.ts'

/** List metadata of a Response. */
export function contentOfResponse(response: StoredResponse): RemoteItemContent {
  const { output, instructions, status } = response
  const messages = output.flatMap((item) => (item.type === 'message' ? textsOf(item) : []))
  const calls = output.flatMap((item) => (item.type === 'function_call' ? [item.name] : []))
  const queries = output.flatMap((item) => (item.type === 'web_search_call' ? item.queries : []))
  return {
    title: titleFrom([...messages, ...calls, ...queries, instructions ?? '']),
    model: response.model === '' ? null : response.model,
    status: status === '' ? null : status,
    goesOn: isRunning(status),
    words: textFrom([...output.flatMap(textsOf), instructions ?? '']),
    files: [],
  }
}

/** Whether the provider is still processing a Response with this status. */
export const isRunning = (status: string | null): boolean =>
  status === 'in_progress' || status === 'queued'

function textsOf(item: OutputItem): readonly string[] {
  switch (item.type) {
    case 'message':
      return [
        ...item.texts,
        ...(item.others ?? []).map((one) => refusalIn(one) ?? JSON.stringify(one)),
      ]
    case 'reasoning':
      return item.texts
    case 'function_call':
      return [item.namespace, item.name, item.arguments]
    case 'web_search_call':
      return [...item.queries, ...item.sources]
    case 'unknown':
      return [JSON.stringify(item.raw)]
  }
}

import { chatJsonLimits, type ChatJson } from '../../../shared/bridge/chat-json.ts'
import { overLimit, wrongField } from './read-json.ts'

/**
 * Checks that the messages are a tree, and returns the depth of each. Parents precede their children, so that there is
 * no cycle. Throws DAMAGED_FILE with the invalid field.
 */
export function depthsOf({ messages, leafId }: ChatJson): ReadonlyMap<string, number> {
  const depths = new Map<string, number>()
  for (const [at, { id, parentId, role }] of messages.entries()) {
    const field = `messages[${at}]`
    if (depths.has(id)) throw wrongField(`${field}.id`, 'another message has the same ID')
    if (parentId === null && role === 'assistant')
      throw wrongField(`${field}.parentId`, 'an answer must have a question as its parent')
    const above = parentId === null ? -1 : depths.get(parentId)
    if (above === undefined) throw wrongField(`${field}.parentId`, 'no earlier message has this ID')
    if (above + 1 >= chatJsonLimits.depth)
      throw overLimit(field, chatJsonLimits.depth, 'The tree is too deep')
    depths.set(id, above + 1)
  }
  const known = leafId === null ? messages.length === 0 : depths.has(leafId)
  if (!known) throw wrongField('leafId', 'no message has this ID')
  return depths
}
